import { type Model } from 'mongoose';
import { nameKey } from './company-identity.rules.js';
import { type CompanyRecord } from './company.model.js';
import { inPages } from '../database/in-pages.js';
import { placesRefused } from '../database/insert-absent.js';

const projection = { publicId: 1, name: 1, nameKey: 1 } as const;

/**
 * Recomputes the name keys that an older version stored differently. Every start does this: an older process may still rename companies,
 * and a key that was taken may be free now.
 * @returns the public ids of companies that keep their old key because the new key is taken
 */
export async function repairNameKeys(companies: Model<CompanyRecord>): Promise<string[]> {
  const left: string[] = [];
  for await (const page of inPages<CompanyRecord>(companies, { projection })) {
    // A damaged name must not stop the start.
    const former = page.filter(
      ({ name, nameKey: stored }) => typeof name === 'string' && stored !== nameKey(name),
    );
    if (former.length > 0) {
      const writes = former.map(({ _id, name, nameKey: stored }) => ({
        // Match the old name: an update that has just renamed the company stored the right key.
        updateOne: { filter: { _id, name, nameKey: stored }, update: { $set: { nameKey: nameKey(name) } } },
      }));
      const refused = await placesRefused(companies.collection.bulkWrite(writes, { ordered: false }));
      left.push(...refused.flatMap((place) => former[place]?.publicId ?? []));
    }
  }
  return left;
}
