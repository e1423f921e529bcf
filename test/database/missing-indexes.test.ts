import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { mongo } from 'mongoose';
import { completeAll } from '../../src/change/complete-all.js';
import { startGateway } from '../../src/gateway.js';
import { logInMemory } from '../support/log-in-memory.js';
import { ownGateway } from '../support/own-gateway.js';
import { freePort } from '../support/process.js';
import { graphql } from '../support/requests.js';
import { SentCommands } from '../support/sent-commands.js';
import { until } from '../support/until.js';

const { log, parsed } = logInMemory('warn');
const sent = new SentCommands();
const gateway = ownGateway({ ARCHIVER: 'off' }, { log, tracing: sent.tracing });

const inMedia = (list: string, args = '') => `${list}(mediaPublicId: "demo-media", first: 20, ${args})`;
const shown = 'edges { node { publicId } cursor } pageInfo { hasNextPage }';
const ids = JSON.stringify(['globex-accountant', 'acme-backend-engineer', 'none']);
/** Each reads its list another way: by one index, in looks at an index, by ids, or in a count. */
const lists = {
  jobs: `${inMedia('jobs')} { ${shown} totalCount }`,
  'jobs by name': `${inMedia('jobs', 'filter: { name: "a" }')} { ${shown} totalCount }`,
  'jobs by ids': `${inMedia('jobs', `filter: { publicIds: ${ids} }`)} { ${shown} }`,
  'jobs by publication': `${inMedia('jobs', 'sort: published_at_desc')} { ${shown} }`,
  companies: `${inMedia('companies')} { ${shown} totalCount }`,
  changes: `${inMedia('changes')} { edges { node { kind publicId state } } totalCount }`,
  'jobs of a company': `company(mediaPublicId: "demo-media", publicId: "acme") { jobs(first: 5) { ${shown} } }`,
};

const reaches = { media: {}, brand: { roles: ['brand_admin'], brand: 'acme-group', media: undefined } };

const readAll = async (reach: Parameters<typeof gateway.token>[0]): Promise<Record<string, unknown>> => {
  const token = await gateway.token(reach);
  const read = Object.entries(lists).map(async ([name, list]) => {
    const { status, body } = await graphql(gateway, `{ list: ${list} }`, {}, { token });
    return [name, status === 200 && !body.errors ? body.data?.list : body.errors];
  });
  return Object.fromEntries(await Promise.all(read)) as Record<string, unknown>;
};

describe('lists whose indexes somebody has dropped', () => {
  const before: Record<string, unknown> = {};
  const missing = () =>
    parsed().flatMap(({ msg, index }) =>
      String(msg).startsWith('an index is missing') ? [String(index)] : [],
    );

  beforeAll(async () => {
    for (const [name, reach] of Object.entries(reaches)) before[name] = await readAll(reach);
    for (const model of [gateway.models.jobs, gateway.models.companies]) await model.collection.dropIndexes();
  });
  afterAll(() => sent.forget());

  it.each(Object.keys(reaches) as (keyof typeof reaches)[])(
    'answer as before, within reach of a %s',
    async (reach) => {
      expect(await readAll(reaches[reach])).toEqual(before[reach]);
    },
  );

  it('are named in the log once for each index', async () => {
    await readAll({});
    expect(missing()).toContain('jobs.publicId_1');
    expect(missing()).toHaveLength(new Set(missing()).size);
  });

  it('are read without the indexes, instead of failing first', async () => {
    sent.forget();
    await readAll({});
    expect(sent.to('jobs').length).toBeGreaterThan(5);
    expect(sent.to('jobs').filter(({ hint }) => hint !== undefined)).toEqual([]);
  });

  it('hold up no import and no task that dates records', async () => {
    await expect(completeAll(gateway.models)).resolves.toBeUndefined();
  });

  it('keep no start from answering probes while it builds their indexes, and calls with 503 (Contract 9.3.1)', async () => {
    const { prototype } = mongo.Collection as unknown as { prototype: mongo.Collection };
    const createIndexes = Reflect.get<typeof prototype, 'createIndexes'>(prototype, 'createIndexes');
    let build = () => undefined as void;
    const slow = new Promise<void>((resolve) => (build = resolve));
    const building = jest.spyOn(mongo.Collection.prototype, 'createIndexes');
    building.mockImplementation(async function (this: mongo.Collection, ...given) {
      await slow;
      return createIndexes.apply(this, given);
    });
    const port = await freePort();
    const starting = startGateway({ ...gateway.settings, port }, { log: logInMemory('fatal').log });
    const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
    await until(() => get('/health').then(Boolean, () => false));
    const answers = async () => {
      const paths = [
        '/health',
        '/metrics',
        '/ready',
        '/jobs/acme-backend-engineer',
        '/graphql?query={__typename}',
        '/',
      ];
      const replies = await Promise.all(paths.map(get));
      return replies.map(({ status, headers }) => [status, headers.get('retry-after')]);
    };
    const [up, away] = [
      [200, null],
      [503, '1'],
    ];
    expect(await answers()).toEqual([up, up, away, away, away, away]);
    build();
    building.mockRestore();
    const started = await starting;
    expect((await answers()).map(([status]) => status)).toEqual([200, 200, 200, 401, 400, 200]);
    await started.stop({ delayMs: 0, idleMs: 0, timeoutMs: 1_000 });
    for (const model of [gateway.models.jobs, gateway.models.companies]) await model.collection.dropIndexes();
  });

  it('have their indexes built by the next start, which names them', async () => {
    const start = logInMemory('warn');
    const next = await startGateway(gateway.settings, { log: start.log });
    await next.stop({ delayMs: 0, idleMs: 0, timeoutMs: 1_000 });
    const [line] = start.parsed().filter(({ msg }) => String(msg).startsWith('these indexes are missing'));
    expect(line?.indexes).toEqual(
      expect.arrayContaining(['jobs.publicId_1', 'companies.nameKey_1', ...missing()]),
    );
    const again = logInMemory('warn');
    await (
      await startGateway(gateway.settings, { log: again.log })
    ).stop({ delayMs: 0, idleMs: 0, timeoutMs: 1_000 });
    expect(again.parsed().filter(({ indexes }) => indexes !== undefined)).toEqual([]);
  });
});
