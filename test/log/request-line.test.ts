import { expect, it } from '@jest/globals';
import { createHmac } from 'node:crypto';
import { runCallerCommand } from '../../src/cli/caller.js';
import { databaseOf } from '../../src/database/connect.js';
import { openTestDatabase } from '../support/database.js';
import { startTestGateway } from '../support/gateway.js';
import { logInMemory } from '../support/log-in-memory.js';
import { ownGateway } from '../support/own-gateway.js';
import { graphql, rest } from '../support/requests.js';
import { until } from '../support/until.js';

const { log, lines } = logInMemory();
const gateway = ownGateway({}, { log });

/** The line of the only request that `send` makes. */
async function lineOf(send: () => Promise<unknown>): Promise<Record<string, unknown>> {
  lines.length = 0;
  await send();
  await until(() => lines.some((line) => line.includes('"answered"')));
  return JSON.parse(lines.find((line) => line.includes('"answered"')) ?? '{}') as Record<string, unknown>;
}

const form = { media_public_id: 'demo-media', company_public_id: 'acme' };
const job = '/jobs/acme-backend-engineer';

it('a GraphQL request is logged with its operation, root fields, error code and caller, without subject or variables (Contract 9.3.7)', async () => {
  const token = await gateway.token({ sub: 'anne-of-acme' });
  const document =
    'query Board($id: String!) { viewer { subject } one: job(publicId: $id) { publicId } job(publicId: "absent") { publicId } }';
  const line = await lineOf(() => graphql(gateway, document, { id: 'acme-backend-engineer' }, { token }));
  const secret = await databaseOf(gateway.gateway.database.connection)
    .collection<{ _id: string; key: string }>('secrets')
    .findOne({ _id: 'callers' });
  const hmac = createHmac('sha256', Buffer.from(secret?.key ?? '', 'hex')).update('anne-of-acme');
  expect(line).toMatchObject({
    method: 'POST',
    path: '/graphql',
    operation: 'Board',
    fields: ['viewer', 'job'],
    code: 'unauthorized-limitation',
    caller: hmac.digest('hex').slice(0, 12),
  });
  expect(JSON.stringify(line)).not.toMatch(/anne-of-acme|acme-backend-engineer|127\.0\.0\.1/);
});

it('a REST request is logged with its root field and error code, an unauthenticated one without a caller (Contract 9.3.7)', async () => {
  const token = await gateway.token();
  const { caller, ...line } = await lineOf(() => rest(gateway, 'PATCH', job, { form }, { token }));
  expect(line).toMatchObject({ status: 200, fields: ['updateJob'] });
  expect(line).not.toHaveProperty('code');
  const invalid = { form: { ...form, salary: 'x'.repeat(10_000) } };
  expect(await lineOf(() => rest(gateway, 'PATCH', job, invalid, { token }))).toMatchObject({
    code: 'validation-failed',
    caller,
  });
  const refused = await lineOf(() => rest(gateway, 'PATCH', job, { form }));
  expect(refused).toMatchObject({ status: 401, code: 'unauthorized-limitation' });
  expect(refused).not.toHaveProperty('caller');
});

const id = '4bf92f3577b34da6a3ce929d0e0e4736';
it.each([
  ['of a valid traceparent', `00-${id}-00f067aa0ba902b7-01`, id],
  ['of a later version', `cc-${id}-00f067aa0ba902b7-01-more`, id],
  ['no longer than version 00 allows', `00-${id}-00f067aa0ba902b7-01-more`, undefined],
  ['that is not zero', `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`, undefined],
  ['with a parent', `00-${id}-${'0'.repeat(16)}-01`, undefined],
  ['of a version other than ff', `ff-${id}-00f067aa0ba902b7-01`, undefined],
])('the log has the trace id %s (Contract 9.3.7)', async (_which, traceparent, traceId) => {
  const line = await lineOf(() => fetch(`${gateway.url}/openapi.json`, { headers: { traceparent } }));
  expect(line.traceId).toBe(traceId);
});

it('the log has the client’s name and version, in at most 64 visible ASCII characters each (Contract 9.3.7)', async () => {
  const headers = {
    'apollographql-client-name': `caf\u00e9 ${'n'.repeat(80)}`,
    'apollographql-client-version': '1.2.0',
  };
  const line = await lineOf(() => fetch(`${gateway.url}/openapi.json`, { headers }));
  expect(line).toMatchObject({ client: `caf ${'n'.repeat(60)}`, clientVersion: '1.2.0' });
});

it('every process of a database, also after a restart, and npm run caller name a caller alike (Contract 9.3.7)', async () => {
  const database = await openTestDatabase();
  const names: unknown[] = [];
  for (let start = 0; start < 2; start += 1) {
    const other = await startTestGateway(
      {},
      { log, database: { ...database, close: async () => undefined } },
    );
    const token = await other.token({ sub: 'kc:anne' });
    names.push((await lineOf(() => graphql(other, '{ viewer { subject } }', {}, { token }))).caller);
    await other.stop();
  }
  const run = (...argv: string[]) => runCallerCommand(argv, { NODE_ENV: 'test', MONGODB_URI: database.uri });
  const { stdout, exitCode } = await run('kc:anne');
  expect([names, exitCode]).toEqual([[stdout, stdout], 0]);
  expect(stdout).toMatch(/^[\da-f]{12}$/);
  expect((await run('anne')).stdout).not.toBe(stdout);
  expect(await run()).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('Give one subject') });
  await database.close();
});
