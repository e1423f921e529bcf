import { fastify } from 'fastify';
import { MongoClient } from 'mongodb';
import { startEmbeddedStoreInThread } from '../../dist/database/embedded/thread.js';

// What an update of a job cannot do without, written by hand: read the company, count the quota, update the job.

const { MONGODB_URI, DATA_DIR, DATABASE } = process.env;
const store = MONGODB_URI ? null : await startEmbeddedStoreInThread({ folder: DATA_DIR });
const client = await new MongoClient(MONGODB_URI || store.uri, { maxPoolSize: 50 }).connect();
const database = client.db(DATABASE);
const companies = database.collection('companies');
const quotas = database.collection('quotas');
const jobs = database.collection('jobs');

const options = { returnDocument: 'after', projection: { pendingHistory: 0 } };
const isDuplicate = ({ code }) => code === 11_000;

/** As the gateway's limiter counts: a unit of the second that runs, else the first of a new one. */
async function spend(key) {
  const expire = new Date(Date.now() + 1_000);
  const isRunning = { $gt: new Date() };
  try {
    return await quotas.findOneAndUpdate(
      { $or: [{ expire: isRunning }, { expire: null }], key },
      { $setOnInsert: { key, expire }, $inc: { points: 1 } },
      { upsert: true, returnDocument: 'after' },
    );
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    return quotas.findOneAndUpdate({ key }, { $set: { points: 1, expire } }, { returnDocument: 'after' });
  }
}

const app = fastify({ logger: false });
app.patch('/jobs/:jobPublicId', async (request, reply) => {
  const { media_public_id: media, company_public_id: company, salary } = request.body;
  const { jobPublicId: publicId } = request.params;
  const employer = await companies.findOne(
    { publicId: company, 'memberships.media': media },
    { projection: { pendingHistory: 0 } },
  );
  if (!employer) return reply.code(404).send();
  const { points } = await spend('floor');
  if (points > 1_000_000) return reply.code(429).send();
  return jobs.findOneAndUpdate(
    { publicId, media, company },
    { $set: { salary }, $inc: { version: 1 } },
    options,
  );
});
const url = await app.listen({ host: '127.0.0.1', port: 0 });
console.log(JSON.stringify({ url, msg: 'ready' }));

process.once('SIGTERM', async () => {
  await app.close();
  await client.close();
  await store?.close();
  process.exit(0);
});
