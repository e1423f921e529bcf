import { expect, it } from '@jest/globals';
import { createHmac } from 'node:crypto';
import { runCallerCommand } from '../../src/cli/caller.js';
import { databaseOf } from '../../src/database/connect.js';
import { commandTime } from '../../src/database/watch-client.js';
import { openTestDatabase } from '../support/database.js';
import { startTestGateway } from '../support/gateway.js';
import { logInMemory } from '../support/log-in-memory.js';
import { ownGateway } from '../support/own-gateway.js';
import { graphql, rest } from '../support/requests.js';
import { openSeverableDatabase } from '../support/severable.js';
import { until } from '../support/until.js';

const { log, lines } = logInMemory();
const gateway = ownGateway({}, { log });

/** What the log says of the only request that `send` makes. */
async function lineOf(send: () => Promise<unknown>): Promise<Record<string, unknown>> {
  lines.length = 0;
  await send();
  await until(() => lines.some((line) => line.includes('"answered"')));
  return JSON.parse(lines.find((line) => line.includes('"answered"')) ?? '{}') as Record<string, unknown>;
}

const form = { media_public_id: 'demo-media', company_public_id: 'acme' };
const job = '/jobs/acme-backend-engineer';

it('a GraphQL request is logged with its operation, root fields, error code and caller, without subject or variables (Contract 11.5.1)', async () => {
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

it('a REST request is logged with its root field and error code, an unauthenticated one without a caller (Contract 11.5.1)', async () => {
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

(commandTime ? it : it.skip)(
  'the line of a request has the time and the number of its own database commands, if it sent any (Contract 11.5.2)',
  async () => {
    const database = await openSeverableDatabase();
    const other = await startTestGateway(
      {},
      { log, database: { ...database, close: async () => undefined } },
    );
    const without = await lineOf(() => fetch(`${other.url}/health`));
    database.way.delay(150);
    lines.length = 0;
    await Promise.all(
      Array.from({ length: 8 }, async (_, at) => {
        // Calls of one caller that arrive together share the command for their quota.
        const token = await other.token({ sub: `caller ${at}` });
        if (at % 2 === 0) await rest(other, 'GET', job, undefined, { token });
        else await graphql(other, '{ viewer { subject } }', {}, { token });
      }),
    );
    const answered = () =>
      lines
        .map(
          (line) => JSON.parse(line) as { path: string; databaseMs: number; commands: number; msg: string },
        )
        .filter(({ msg }) => msg === 'answered');
    await until(() => answered().length === 8);
    await other.stop();
    await database.close();
    expect(without).not.toHaveProperty('databaseMs');
    expect(without).not.toHaveProperty('commands');
    for (const { path, databaseMs, commands } of answered()) {
      // The quota is one command.
      if (path === '/graphql') expect(commands).toBe(1);
      else expect(commands).toBeGreaterThanOrEqual(2);
      expect(databaseMs).toBeGreaterThanOrEqual(commands * 145);
    }
  },
);

const id = '4bf92f3577b34da6a3ce929d0e0e4736';
it.each([
  ['of a valid traceparent', `00-${id}-00f067aa0ba902b7-01`, id],
  ['of a later version', `cc-${id}-00f067aa0ba902b7-01-more`, id],
  ['no longer than version 00 allows', `00-${id}-00f067aa0ba902b7-01-more`, undefined],
  ['that is not zero', `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`, undefined],
  ['with a parent', `00-${id}-${'0'.repeat(16)}-01`, undefined],
  ['of a version other than ff', `ff-${id}-00f067aa0ba902b7-01`, undefined],
])('the log has the trace id %s (Contract 11.5.1)', async (_which, traceparent, traceId) => {
  const line = await lineOf(() => fetch(`${gateway.url}/health`, { headers: { traceparent } }));
  expect(line.traceId).toBe(traceId);
});

it('the log has the client’s name and version, in at most 64 visible ASCII characters each (Contract 11.5.1)', async () => {
  const headers = {
    'apollographql-client-name': `caf\u00e9 ${'n'.repeat(80)}`,
    'apollographql-client-version': '1.2.0',
  };
  const line = await lineOf(() => fetch(`${gateway.url}/health`, { headers }));
  expect(line).toMatchObject({ client: `caf ${'n'.repeat(60)}`, clientVersion: '1.2.0' });
});

it('every process of a database, also after a restart, and npm run caller name a caller alike (Contract 12.8)', async () => {
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
