import { expect, it } from '@jest/globals';
import { withLease } from '../../src/change/records-lease.js';
import { startGateway } from '../../src/gateway.js';
import { ownDatabase } from '../support/own-database.js';
import { silentLog } from '../support/gateway.js';
import { ownGateway } from '../support/own-gateway.js';
import { freePort } from '../support/process.js';
import { graphql, rest } from '../support/requests.js';
import { until } from '../support/until.js';

const usual = ownGateway();
const { database, models } = ownDatabase();

it('while a start waits for a conversion, /health is 200, /ready and operations are 503 with Retry-After, then the gateway serves (Contract 11.1)', async () => {
  const formats = database.connection.collection<{ _id: string }>('formats');
  await formats.updateOne({ _id: 'records' }, { $set: { version: 1 } });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const settings = { ...usual.settings, mongodbUri: database.uri, port };
  const other = { command: 'upgrade', actor: 'system', host: 'host-2' };
  const token = await usual.token();
  const { start } = await withLease(models.media, other, { waitMs: 0 }, async () => {
    const start = startGateway(settings, { log: silentLog });
    start.catch(() => undefined);
    const health = () => fetch(`${url}/health`).catch(() => null);
    await until(async () => (await health())?.status === 200);
    const ready = await fetch(`${url}/ready`);
    expect([ready.status, await ready.json()]).toMatchObject([
      503,
      { checks: { accepting: false, database: true } },
    ]);
    const asked = await graphql({ url }, '{ viewer { subject } }', {}, { token });
    expect([asked.status, asked.headers.get('retry-after'), asked.body.errors?.[0]?.extensions.code]).toEqual(
      [503, '1', 'SERVICE_UNAVAILABLE'],
    );
    const read = await rest({ url }, 'GET', '/jobs/acme-backend-engineer', undefined, { token });
    expect([read.status, read.headers.get('retry-after'), read.body]).toMatchObject([
      503,
      '1',
      { error: 'service-unavailable' },
    ]);
    return { start };
  });
  const gateway = await start;
  expect((await fetch(`${url}/ready`)).status).toBe(200);
  expect((await graphql({ url }, '{ viewer { subject } }', {}, { token })).status).toBe(200);
  await gateway.stop();
});
