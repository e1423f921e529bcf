import { type Db, type Document } from 'mongodb';
import { type Model } from 'mongoose';
import { nameKey } from '../company/company-identity.rules.js';
import { type CompanyRecord } from '../company/company.model.js';
import { isDuplicateKey } from '../errors/mask-error.js';
import { placesRefused } from './insert-absent.js';
import { formatsOf } from './record-format.js';

const id = 'name-keys';
/** Who changes what `nameKey` answers raises it: then stored keys are computed again. 1.0.0 has stored those of format 1. */
const keyFormat = 2;
const batchSize = 1_000;
const projection = { publicId: 1, name: 1, nameKey: 1 } as const;

/**
 * Computes the keys again by which companies are found, where a former version has stored another form of the name. Each
 * start does so until one finds nothing to change, and notes that: beside the first, a process of the former version may
 * still rename companies, and a key may become free only when its company gets another one.
 * @returns the public ids of companies that keep their former key, since another company has the right one
 */
export async function mendNameKeys(companies: Model<CompanyRecord>, db: Db): Promise<string[]> {
  const noted = await formatsOf(db).findOne({ _id: id });
  if (noted && noted.version >= keyFormat) return [];
  const left: string[] = [];
  let hasFound = false;
  for (let query: Document | undefined = {}; query;) {
    const page: CompanyRecord[] = await companies.collection
      .find<CompanyRecord>(query, { projection, sort: { _id: 1 }, limit: batchSize, batchSize })
      .toArray();
    const former = page.filter(({ name, nameKey: stored }) => stored !== nameKey(name));
    if (former.length > 0) {
      hasFound = true;
      const writes = former.map(({ _id, name, nameKey: stored }) => ({
        // Who renames the company meanwhile stores the key of its new name.
        updateOne: { filter: { _id, name, nameKey: stored }, update: { $set: { nameKey: nameKey(name) } } },
      }));
      const refused = await placesRefused(companies.collection.bulkWrite(writes, { ordered: false }));
      left.push(...refused.flatMap((place) => former[place]?.publicId ?? []));
    }
    const last = page[batchSize - 1];
    query = last && { _id: { $gt: last._id } };
  }
  if (!hasFound) await note(db);
  return left;
}

async function note(db: Db): Promise<void> {
  try {
    await formatsOf(db).updateOne({ _id: id }, { $set: { version: keyFormat } }, { upsert: true });
  } catch (error) {
    // Another process has noted it at the same time.
    if (!isDuplicateKey(error)) throw error;
  }
}
