import { type Logger } from 'pino';
import { indexesIn, indexName } from '../database/indexes.js';
import { indexesOf, type Models } from '../models.js';

const ofOwners = (begin: (owner: string) => string, end: (owner: string) => string) =>
  ['', 'company_1_', 'createdBy_1_', 'brand_1_'].map((owner) => `${begin(owner)}${end(owner)}`);

/** The company is the first of these fields, or the last. */
const never = (owner: string) => (owner === 'company_1_' ? 'nameKey_1' : 'nameKey_1_company_1');

/** By collection: indexes that 2.0.0 declared. */
const former: Readonly<Record<string, readonly string[]>> = {
  companies: ['unchangingCalls.at_1'],
  history: ['call.key_1'],
  jobs: [
    'unchangingCalls.at_1',
    ...ofOwners(
      (owner) => `media_1_isCompanyInMedia_1_${owner}`,
      (owner) => `publicId_1_${never(owner)}`,
    ),
    ...ofOwners(
      (owner) => `media_1_isCompanyInMedia_1_${owner}state_1_`,
      (owner) => `publishedAt_1_publicId_1_expiresAt_1_${never(owner)}`,
    ),
    ...ofOwners(
      (owner) => `media_1_isCompanyInMedia_1_${owner}state_1_`,
      (owner) => `expiresAt_1_publicId_1_${never(owner)}`,
    ),
    ...ofOwners(
      (owner) => `media_1_${owner}state_1_`,
      (owner) => `changedAt_1_publicId_1_expiresAt_1_${never(owner)}_isCompanyInMedia_1`,
    ),
  ],
};

/** Drops the indexes that only 2.0.0 reads: each slows every write. An index that an operator has made stays. */
export async function dropFormerIndexes(models: Models, log: Logger): Promise<void> {
  for (const model of Object.values(models)) {
    const { collection } = model;
    const declared = indexesOf(model).map(indexName);
    for (const { name = '' } of (await indexesIn(collection)) ?? []) {
      if (declared.includes(name) || !former[collection.collectionName]?.includes(name)) continue;
      log.warn({ index: `${collection.collectionName}.${name}` }, 'dropping an index of 2.0.0');
      await collection.dropIndex(name);
    }
  }
}
