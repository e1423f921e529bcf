import { type Models } from '../../src/models.js';
import { demoData } from '../../src/demo/demo-data.js';
import { collectionsOf, copyReach } from '../../src/job/stored-reach.js';
import { latestExpiry } from '../../src/job/job-expiry.rules.js';
import { type JobRecord } from '../../src/job/job.record.js';

/** The default of JOB_LIFETIME. */
export const jobLifetimeMs = 90 * 86_400_000;

/** Gives a job the default end. */
export const withEnd = <Job extends Pick<JobRecord, 'publishedAt'>>(job: Job) => ({
  ...job,
  expiresAt: latestExpiry(job.publishedAt, jobLifetimeMs),
});

/** The demo data as a gateway with the default lifetime stores them. */
export const demoDataAsStored = (now: Date) => {
  const data = demoData(now);
  return { ...data, jobs: data.jobs.map(withEnd) };
};

/** Copies the reach of companies to their jobs, as an import does after it has written companies. */
export async function copyAllReach(models: Models): Promise<void> {
  await copyReach(collectionsOf(models), await models.jobs.find().lean());
}

/** @param written the names of the only collections that can differ from the demo data; if unset, any can */
export async function resetRecords(
  models: Models,
  now = new Date(),
  written?: ReadonlySet<string>,
): Promise<void> {
  const demo: Record<string, object[]> = demoDataAsStored(now);
  const quotas = models.media.db.collection('quotas');
  await Promise.all([
    !written || written.has('quotas') ? quotas.deleteMany({}) : undefined,
    ...Object.entries(models).map(async ([name, { collection }]) => {
      if (written && !written.has(collection.collectionName)) return;
      const records = demo[name] ?? [];
      // Media and references rarely change: rewriting them would double the cost of a reset.
      const isLikelySame = written !== undefined || name === 'media' || name === 'references';
      if (isLikelySame && JSON.stringify(await collection.find().toArray()) === JSON.stringify(records))
        return;
      await collection.deleteMany({});
      if (records.length > 0) await collection.insertMany(records);
    }),
  ]);
}
