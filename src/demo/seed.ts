import { LogoStore } from '../company/logo/logo-store.js';
import { insertAbsent, insertWithChangedAt } from '../database/insert-records.js';
import { latestExpiry } from '../job/job-expiry.rules.js';
import { collectionsOf, insertJobs } from '../job/stored-reach.js';
import { type Models } from '../models.js';
import { demoData, demoLogos, type DemoData } from './demo-data.js';

/** Without media, callers can reach nothing. */
export const isEmpty = async ({ media }: Models): Promise<boolean> => (await media.exists({})) === null;

/**
 * Inserts the demo records that are missing, and never changes existing records. Several processes may seed at once: the unique indexes,
 * which must exist, reject a second copy of a record.
 *
 * Media come last: after an interrupted seeding, `isEmpty` is still true, and the next one completes it.
 * @param beforeEach called before the records of each kind
 * @returns how many records of each kind were inserted
 */
export async function seedDemoData(
  models: Models,
  now: Date,
  lifetimeMs: number,
  beforeEach: () => Promise<void> = async () => undefined,
): Promise<Record<keyof DemoData, number>> {
  const data = demoData(now);
  const inserted = async (records: readonly unknown[], insert: () => Promise<number[]>) => {
    await beforeEach();
    return records.length - (await insert()).length;
  };
  const references = await inserted(data.references, () =>
    insertAbsent(models.references.collection, data.references),
  );
  const logos = new LogoStore(models.companies.db, () => now);
  for (const logo of await demoLogos()) await logos.put(logo);
  const companies = await inserted(data.companies, () =>
    insertWithChangedAt(models.companies.collection, data.companies),
  );
  const posted = data.jobs.map((job) => ({
    ...{ ...job, expiresAt: latestExpiry(job.publishedAt, lifetimeMs) },
    ...(job.state === 'archived' && { archivedAt: now }),
  }));
  const jobs = await inserted(posted, () => insertJobs(collectionsOf(models), posted));
  const media = await inserted(data.media, () => insertAbsent(models.media.collection, data.media));
  return { media, companies, jobs, references };
}
