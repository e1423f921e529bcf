import { fastify } from 'fastify';
import { MongoClient } from 'mongodb';
import { startEmbeddedStoreInThread } from '../../dist/database/embedded/thread.js';
import { quotaOf } from './quota.mjs';

// The least that an update of a job must do: read the company, count the quota, update the job.

const { MONGODB_URI, DATA_DIR, DATABASE } = process.env;
const store = MONGODB_URI ? null : await startEmbeddedStoreInThread({ folder: DATA_DIR });
const client = await new MongoClient(MONGODB_URI || store.uri, { maxPoolSize: 50 }).connect();
const database = client.db(DATABASE);
const companies = database.collection('companies');
const jobs = database.collection('jobs');

const options = { returnDocument: 'after', projection: { pendingHistory: 0 } };
const spend = quotaOf(database.collection('quotas'));

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
