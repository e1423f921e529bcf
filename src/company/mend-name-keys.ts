import { type Model } from 'mongoose';
import { nameKey } from './company-identity.rules.js';
import { type CompanyRecord } from './company.model.js';
import { inPages } from '../database/in-pages.js';
import { placesRefused } from '../database/insert-absent.js';

const projection = { publicId: 1, name: 1, nameKey: 1 } as const;

/**
 * Computes the keys again by which companies are found, where a former version has stored another form of the name. Each start
 * does so: a process of that version may rename companies at any time, and a key may become free when its company gets another.
 * @returns the public ids of companies that keep their former key, since another company has the right one
 */
export async function mendNameKeys(companies: Model<CompanyRecord>): Promise<string[]> {
  const left: string[] = [];
  for await (const page of inPages<CompanyRecord>(companies, { projection })) {
    // A name that something else has damaged has no key, and must not end the start.
    const former = page.filter(
      ({ name, nameKey: stored }) => typeof name === 'string' && stored !== nameKey(name),
    );
    if (former.length > 0) {
      const writes = former.map(({ _id, name, nameKey: stored }) => ({
        // A company that is renamed meanwhile does not match: whoever renames it stores the right key.
        updateOne: { filter: { _id, name, nameKey: stored }, update: { $set: { nameKey: nameKey(name) } } },
      }));
      const refused = await placesRefused(companies.collection.bulkWrite(writes, { ordered: false }));
      left.push(...refused.flatMap((place) => former[place]?.publicId ?? []));
    }
  }
  return left;
}
