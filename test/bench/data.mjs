import { createConnection, mongo } from 'mongoose';
import { prepareDatabase, modelsOf } from '../../dist/models.js';
import { seedDemoData } from '../../dist/demo/seed.js';
import { latestEnd } from '../../dist/job/job-end.rules.js';

const batch = 5_000;
const lifetimeMs = 90 * 86_400_000;
export const companyCount = 1_000;
export const companyId = (index) => `bench-company-${index % companyCount}`;
export const jobId = (index) => `bench-job-${index}`;

/** Adds copies of demo records, so that replies have a typical size. */
export const seed = (uri, dbName, jobCount) =>
  fill(uri, dbName, {
    companies: [companyCount, () => ({})],
    jobs: [jobCount, (index) => ({ publicId: jobId(index), company: companyId(index) })],
  });

/** @param copies for each kind, how many records to add, and how each differs from the demo record */
export async function fill(uri, dbName, copies) {
  const connection = await createConnection(uri, { dbName }).asPromise();
  try {
    const models = modelsOf(connection);
    await prepareDatabase(models);
    const now = new Date();
    await seedDemoData(models, now, lifetimeMs);
    const company = await models.companies.findOne({ publicId: 'acme' }, { domainKey: 0 }).lean();
    const [companies, companyAt] = copies.companies;
    await insert(models.companies, companies, (index) => ({
      ...company,
      _id: new mongo.ObjectId(),
      publicId: companyId(index),
      name: `Bench ${index}`,
      nameKey: `bench ${index}`,
      domainUrl: null,
      ...companyAt(index),
    }));
    const job = await models.jobs.findOne({ publicId: 'acme-backend-engineer' }).lean();
    const [jobs, jobAt] = copies.jobs;
    await insert(models.jobs, jobs, (index) => {
      const { publishedAt = now, ...own } = jobAt(index);
      const expiresAt = latestEnd(publishedAt, lifetimeMs);
      return { ...job, _id: new mongo.ObjectId(), publishedAt, expiresAt, ...own };
    });
  } finally {
    await connection.close();
  }
}

export async function drop(uri, dbName) {
  const connection = await createConnection(uri, { dbName }).asPromise();
  await connection.dropDatabase();
  await connection.close();
}

async function insert(model, count, make) {
  for (let from = 0; from < count; from += batch) {
    const length = Math.min(batch, count - from);
    await model.collection.insertMany(
      Array.from({ length }, (_, index) => make(from + index)),
      { ordered: false },
    );
  }
}
