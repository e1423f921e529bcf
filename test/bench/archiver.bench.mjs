/** MONGODB_URI=… node test/bench/archiver.bench.mjs measures archiving: DUE (default 100000) of JOBS (default 1000000) jobs are due. */
import { randomUUID } from 'node:crypto';
import mongoose from 'mongoose';
import { archiveExpiredJobs } from '../../dist/archiver/archive-expired-jobs.tasks.js';
import { dueQuery, latestEnd } from '../../dist/job/job-end.rules.js';
import { prepareDatabase, modelsOf } from '../../dist/models.js';

const jobCount = Number(process.env.JOBS ?? 1_000_000);
const dueCount = Number(process.env.DUE ?? 100_000);
const fewJobs = 1_000;
const idleRuns = 300;
const lifetimeMs = 90 * 86_400_000;
const now = new Date();

const uri = process.env.MONGODB_URI;
if (!uri) throw new Error('set MONGODB_URI to the database to measure on');
const dbName = `bench_${randomUUID().slice(0, 8)}`;
async function open(name) {
  const connection = await mongoose.createConnection(uri, { dbName: name, autoIndex: false }).asPromise();
  const models = modelsOf(connection);
  await prepareDatabase(models);
  return { connection, jobs: models.jobs };
}
const few = await open(`${dbName}_few`);
const many = await open(dbName);
const { collection } = many.jobs;

const text = `<p>${'What a job is about, in so many words. '.repeat(12)}</p>`;
const makeJob = (index, state, publishedAt) => ({
  publicId: `job-${index}`,
  media: `media-${index % 20}`,
  company: `company-${index % 5_000}`,
  name: `Job ${index}`,
  state,
  publishedAt,
  expiresAt: latestEnd(publishedAt, lifetimeMs),
  salary: '40 k€',
  description: {
    companyDesc: null,
    jobDesc: text,
    profileDesc: text,
    benefitDesc: null,
    processDesc: null,
  },
  questions: [],
  managerEmails: ['manager@example.com'],
  recruiterEmails: [],
  applicationMethod: 'internal_apply',
  applicationUrl: null,
  createdBy: 'bench',
  version: 1,
  pendingHistory: [],
});
async function insertJobs({ jobs: { collection } }, from, to) {
  for (let start = from; start < to; start += 10_000) {
    const jobs = Array.from({ length: Math.min(10_000, to - start) }, (_, offset) => {
      const index = start + offset;
      return makeJob(
        index,
        index % 2 === 0 ? 'archived' : 'published',
        new Date(now.getTime() - (index % 80) * 86_400_000),
      );
    });
    await collection.insertMany(jobs, { ordered: false });
  }
}
const isDue = dueQuery(now);
async function makeDue() {
  await collection.updateMany(
    { dueIndex: { $exists: true } },
    { $set: { state: 'published', version: 1, pendingHistory: [] } },
  );
}
const run = ({ jobs }, onBatch = () => undefined) =>
  archiveExpiredJobs(
    {
      jobs,
      clock: () => now,
      onLag: () => undefined,
      onBatch,
    },
    { id: randomUUID(), isStopping: () => false, renew: async () => undefined, skip: () => undefined },
  );
async function timed(work) {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}
/** The databases take turns, so that other load affects both alike. */
async function idleMs() {
  const times = { few: [], many: [] };
  for (let count = 0; count < idleRuns; count += 1) {
    times.few.push(await timed(() => run(few)));
    times.many.push(await timed(() => run(many)));
  }
  const median = (all) => all.sort((one, other) => one - other)[Math.floor(idleRuns / 2)];
  return { few: median(times.few), many: median(times.many) };
}
const shown = (ms) => (ms < 100 ? `${ms.toFixed(2)} ms` : `${(ms / 1_000).toFixed(2)} s`);

try {
  await insertJobs(few, 0, fewJobs);
  const insertMs = await timed(() => insertJobs(many, 0, jobCount - dueCount));
  console.log(`${jobCount - dueCount} jobs inserted in ${shown(insertMs)}`);
  await idleMs();
  const idle = await idleMs();
  console.log(
    `idle run at ${fewJobs} jobs ${shown(idle.few)}, at ${jobCount - dueCount} ${shown(idle.many)}`,
  );
  console.log(`ratio ${(idle.many / idle.few).toFixed(2)}`);

  for (let start = 0; start < dueCount; start += 10_000) {
    const count = Math.min(10_000, dueCount - start);
    await collection.insertMany(
      Array.from({ length: count }, (_, offset) => ({
        ...makeJob(
          jobCount + start + offset,
          'published',
          new Date(now.getTime() - lifetimeMs - (start + offset) * 1_000),
        ),
        dueIndex: start + offset,
      })),
      { ordered: false },
    );
  }
  await collection.createIndex({ dueIndex: 1 }, { sparse: true });

  const bare = [];
  const archived = [];
  for (let round = 0; round < 3; round += 1) {
    bare.push(await timed(() => collection.updateMany(isDue, { $set: { state: 'archived' } })));
    await makeDue();
    let batches = 0;
    archived.push(await timed(() => run(many, () => void (batches += 1))));
    const left = await collection.countDocuments(isDue);
    const entries = await collection.countDocuments({
      dueIndex: { $exists: true },
      version: 2,
      'pendingHistory.0.version': 2,
    });
    if (left !== 0 || entries !== dueCount) throw new Error(`${left} left, ${entries} with their entry`);
    await makeDue();
    console.log(
      `round ${round}: bare ${shown(bare.at(-1))}, archived ${shown(archived.at(-1))} in ${batches} batches`,
    );
  }
  const least = (times) => Math.min(...times);
  console.log(
    `${dueCount} due: bare updateMany ${shown(least(bare))}, archived with history ${shown(least(archived))}`,
  );
  console.log(`ratio ${(least(archived) / least(bare)).toFixed(2)}`);
} finally {
  for (const { connection } of [few, many]) {
    await connection.dropDatabase();
    await connection.close();
  }
}
