import { buildSchema } from 'graphql';
import { type Connection } from 'mongoose';
import { buildQuotaIndexes } from '../../src/quotas/quota-indexes.js';
import { Quotas, rateLimitSdl } from '../../src/quotas/quotas.js';
import { type Quota } from '../../src/settings/setting-parsers.js';
import { bareCall } from './bare-call.js';

/** The quota counter of one process. `ask` makes one call as the caller `subject`. */
export async function startQuotas(connection: Connection, quota: Quota) {
  const db = connection.getClient().db(connection.name);
  const quotas = new Quotas({ updateJob: quota, mutation: quota, read: quota }, db, () => undefined);
  await buildQuotaIndexes(db);
  const plain = buildSchema(
    `${rateLimitSdl} type Query { viewer: String @rateLimit(limit: 1, duration: 1) }`,
  );
  const schema = quotas.atDirective(plain);
  return { quotas, ask: (subject: string) => bareCall(schema, '{ viewer }', subject, { viewer: 'done' }) };
}
