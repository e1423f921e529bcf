import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, URL } from 'node:url';
import { parseArgs } from 'node:util';
import { measureScenarios } from './compared.mjs';
import { measureLists } from './lists.mjs';
import { summary } from './load.mjs';
import { prepareDatabase } from './stage.mjs';
import { times, versions } from './report.mjs';
import { filesOfUpdate } from './files.mjs';
import { measureMemory, measureStart } from './resident.mjs';
import { scenarios } from './scenarios.mjs';

const { values: given, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    amount: { type: 'string' },
    connections: { type: 'string', default: '16' },
    jobs: { type: 'string' },
    'database-pid': { type: 'string' },
  },
});
const areLists = positionals[0] === 'lists';
const wanted = areLists ? positionals.slice(1) : positionals;
const rounds = Number(given.rounds ?? (given.quick ? 1 : 5));
const amount = Number(given.amount ?? (given.quick ? 1_000 : 4_000));
const warmUp = given.quick ? 1_000 : 3_000;
const jobCount = Number(given.jobs ?? (areLists ? 50_000 : 1_000));
const connectionCounts = given.connections.split(',').map(Number);
const isWanted = (name) =>
  wanted.length === 0 || wanted.some((part) => name.toLowerCase().includes(part.toLowerCase()));
const chosen = Object.entries(scenarios).filter(([name]) => isWanted(name));
const measures = ['memory', 'start', 'files'];
if (!areLists && chosen.length === 0 && !measures.some(isWanted))
  throw new Error(
    `no such scenario; choose from: ${[...Object.keys(scenarios), ...measures, 'lists'].join(', ')}`,
  );

const folder = await mkdtemp(join(tmpdir(), 'gateway-bench-'));
const uri = process.env.MONGODB_URI;
const place = { folder, jobCount, databasePid: given['database-pid'] };
const store = uri ? 'MongoDB' : 'the built-in store';
const results = { at: new Date(), ...versions(), store, jobCount };
try {
  if (areLists) results.lists = await measureLists(uri, { ...place, isWanted });
  else await measureAll(await prepareDatabase(uri, place));
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function measureAll(database) {
  try {
    results.rounds = rounds;
    const load = { jobCount, rounds, amount, warmUp, connectionCounts };
    if (chosen.length > 0) results.measured = await measureScenarios(database, chosen, load);
    if (isWanted('memory')) {
      results.memory = await measureMemory(database, { jobCount, isQuick: given.quick });
      for (const { updates, residentMiB, heapMiB } of results.memory)
        console.log(
          `after ${updates} updates: ${heapMiB.toFixed(1)} MiB in use, ${residentMiB.toFixed(0)} MiB resident`,
        );
    }
    if (isWanted('files')) {
      results.files = await filesOfUpdate(database, jobCount);
      console.log(`${results.files.length} files of ours in an update over REST:`);
      console.log(results.files.join('\n'));
    }
    if (isWanted('start')) {
      results.startMs = summary(await measureStart(folder, rounds));
      console.log(`start to ready, ms: ${times(results.startMs, 0)}`);
    }
  } finally {
    await database.drop();
  }
}

const file = fileURLToPath(
  new URL(`results/${results.at.toISOString().replace(/\W/g, '')}.json`, import.meta.url),
);
await mkdir(fileURLToPath(new URL('results/', import.meta.url)), { recursive: true });
await writeFile(file, `${JSON.stringify(results, null, 2)}\n`);
console.log(`\n${cpus().length} processors, ${store}; written to ${file}`);
