import { startWatchedGateway } from './examined.mjs';
import { callers, largest, rareWord, seedSkewed, smallest } from './lists-data.mjs';
import { jobId } from './data.mjs';
import { gatewayEnvironment, prepareDatabase, startGateway, tokensOf } from './stage.mjs';

/** What one list may examine. */
const mostKeys = 10_000;
const mostDocuments = 2_000;

const warmUps = 300;
const measuredMs = 600;
const leastCalls = 3;

const someIds = Array.from({ length: 50 }, (_, index) => jobId(index * 997));

const dayMs = 86_400_000;
const inDays = (days) => new Date(Date.now() + days * dayMs).toISOString();

const orders = ['public_id', 'updated_at_desc'];
const jobOrders = [...orders, 'published_at_desc', 'expires_at_asc'];
const named = { 'rare name': `name: "${rareWord}"`, 'absent name': 'name: "no such job"' };
const jobFilters = {
  none: '',
  draft: 'states: [draft]',
  published: 'states: [published]',
  archived: 'states: [archived]',
  'all states': 'states: [draft, published, archived]',
  'company, 5 jobs': `companyPublicIds: ["${smallest}"]`,
  'company, 80 %': `companyPublicIds: ["${largest}"]`,
  'two companies': `companyPublicIds: ["${smallest}", "${largest}"]`,
  'by ids': `publicIds: ${JSON.stringify(someIds)}`,
  ...named,
  'changed in a day': `updatedSince: "${inDays(-1)}"`,
  'expires in a week': `expiringBefore: "${inDays(7)}"`,
};
const companyFilters = { none: '', ...named, 'not published': 'isPublished: false' };

const page = (list, fields) => (filter, order) =>
  `{ list: ${list}(mediaPublicId: "demo-media", first: 50, sort: ${order}, filter: { ${filter} }) { edges { node { ${fields} } } } }`;

const lists = {
  jobs: { filters: jobFilters, orders: jobOrders, document: page('jobs', 'publicId name state') },
  'count of jobs': {
    filters: jobFilters,
    orders: ['any'],
    document: (filter) =>
      `{ list: jobs(mediaPublicId: "demo-media", first: 1, filter: { ${filter} }) { totalCount } }`,
  },
  companies: { filters: companyFilters, orders, document: page('companies', 'publicId name') },
  changes: {
    filters: { none: '' },
    orders: ['any'],
    document: () => '{ list: changes(mediaPublicId: "demo-media") { edges { node { publicId version } } } }',
  },
};

const rows = Object.entries(lists).flatMap(([list, { filters, orders, document }]) =>
  Object.keys(callers).flatMap((reach) =>
    Object.entries(filters).flatMap(([filter, condition]) =>
      orders.map((order) => ({ list, reach, filter, order, document: document(condition, order) })),
    ),
  ),
);

const columns = [
  ['list', 13],
  ['reach', 20],
  ['filter', 17],
  ['order', 15],
  ['found', 6],
  ['reads', 5],
  ['keys', 7],
  ['documents', 9],
  ['gateway ms', 10],
  ['database ms', 11],
  ['sum ms', 8],
];
const texts = 4;
const lineOf = (cells) =>
  cells.map((cell, index) => cell[index < texts ? 'padEnd' : 'padStart'](columns[index][1])).join('  ');

const isTooMuch = ({ keys, documents }) => keys > mostKeys || documents > mostDocuments;

function shown(row) {
  const keys = [row.list, row.reach, row.filter, row.order];
  if (row.error) return `${lineOf(keys)}  ${row.error}`;
  const { found, commands, keys: keysExamined, documents, serverMs, databaseMs } = row;
  const counts = [found ?? 'null', commands, keysExamined, documents].map((count) =>
    Number.isNaN(count) ? '?' : String(count),
  );
  const times = [serverMs, databaseMs, serverMs + databaseMs].map((ms) => ms.toFixed(1));
  return lineOf([...keys, ...counts, ...times]) + (isTooMuch(row) ? '  !' : '');
}

/** For each list, reach, filter and order: the keys and documents that MongoDB examines, and the processor time of a call. */
export async function measureLists(uri, { isWanted, ...options }) {
  if (!uri) throw new Error('lists are measured on MongoDB: set MONGODB_URI');
  const database = await prepareDatabase(uri, { ...options, fillWith: seedSkewed });
  const patient = { ...database, gateway: { ...database.gateway, DATABASE_TIMEOUT: '1m' } };
  const watched = await startWatchedGateway(patient);
  const { server } = await startGateway(patient);
  const measured = [];
  try {
    const sign = await tokensOf(gatewayEnvironment(patient));
    const tokens = Object.fromEntries(
      await Promise.all(Object.entries(callers).map(async ([reach, claims]) => [reach, await sign(claims)])),
    );
    const caller =
      (url, { document, reach }) =>
      () =>
        ask(url, tokens[reach], document);
    const figuresOf = async (row) => {
      try {
        // The first call also reads what the gateway caches.
        await caller(watched.url, row)();
        const examined = await watched.examinedBy(caller(watched.url, row));
        return { ...examined, ...(await timesOf(server, caller(server.url, row))) };
      } catch (error) {
        if (error instanceof ListError) return { error: error.message };
        throw error;
      }
    };
    for (let count = 0; count < warmUps; count += 1) await caller(server.url, rows[0])();
    console.log(lineOf(columns.map(([title]) => title)));
    for (const row of rows.filter((each) => isWanted(shownKeys(each)))) {
      measured.push({ ...row, ...(await figuresOf(row)) });
      console.log(shown(measured.at(-1)));
    }
  } finally {
    await watched.stop();
    await server.stop();
    await database.drop();
  }
  const tooMuch = measured.filter(isTooMuch).length;
  const failed = measured.filter(({ error }) => error).length;
  console.log(
    `\n${measured.length} lists: ${tooMuch} examine over ${mostKeys} keys or ${mostDocuments} documents (!), ${failed} fail`,
  );
  return measured;
}

const shownKeys = ({ list, reach, filter, order }) => [list, reach, filter, order].join(', ');

/** The list answered with an error, whose message is the error's code. */
class ListError extends Error {}

async function ask(url, token, query) {
  const reply = await globalThis.fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ query }),
  });
  const { data, errors } = await reply.json();
  if (errors) throw new ListError(errors[0].extensions.error);
  return data.list;
}

async function timesOf(server, call) {
  const found = await call();
  const before = server.processorMs();
  const startedMs = performance.now();
  let calls = 0;
  while (calls < leastCalls || performance.now() - startedMs < measuredMs) {
    await call();
    calls += 1;
  }
  const after = server.processorMs();
  return {
    found: found.edges ? found.edges.length : found.totalCount,
    serverMs: (after.server - before.server) / calls,
    databaseMs: (after.database - before.database) / calls,
  };
}
