import { type Models } from '../../src/models.js';
import { demoData } from '../../src/demo/demo-data.js';
import { collectionsOf, copyReach } from '../../src/job/stored-reach.js';
import { latestEnd } from '../../src/job/job-end.rules.js';
import { type JobRecord } from '../../src/job/job.record.js';

/** The default of JOB_LIFETIME. */
export const jobLifetimeMs = 90 * 86_400_000;

/** Gives a job the default end. */
export const withEnd = <Job extends Pick<JobRecord, 'publishedAt'>>(job: Job) => ({
  ...job,
  expiresAt: latestEnd(job.publishedAt, jobLifetimeMs),
});

/** The demo data as a gateway with the default lifetime stores them. */
export const demoDataAsStored = (now: Date) => {
  const data = demoData(now);
  return { ...data, jobs: data.jobs.map(withEnd) };
};

/** What an import does after it has written companies. */
export async function copyAllReach(models: Models): Promise<void> {
  await copyReach(collectionsOf(models), await models.jobs.find().lean());
}

export async function resetRecords(models: Models, now = new Date()): Promise<void> {
  const demo: Record<string, object[]> = demoDataAsStored(now);
  await models.media.db.collection('quotas').deleteMany({});
  for (const [name, { collection }] of Object.entries(models)) {
    const records = demo[name] ?? [];
    // Keep unchanged media and references: rewriting them would double the cost of a reset.
    const isLikelySame = name === 'media' || name === 'references';
    if (isLikelySame && JSON.stringify(await collection.find().toArray()) === JSON.stringify(records))
      continue;
    await collection.deleteMany({});
    if (records.length > 0) await collection.insertMany(records);
  }
}
