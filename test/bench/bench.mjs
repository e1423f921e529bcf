import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, URL } from 'node:url';
import { parseArgs } from 'node:util';
import { compare, drive, summary } from './load.mjs';
import { prepareDatabase, startFloor, startGateway, startPeers } from './stage.mjs';
import { heading, line, times, versions } from './report.mjs';
import { filesOfUpdate } from './files.mjs';
import { measureMemory, measureStart } from './resident.mjs';
import { floor as floorRequest, scenarios } from './scenarios.mjs';

const { values: given, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    pairs: { type: 'string' },
    amount: { type: 'string' },
    connections: { type: 'string', default: '16' },
    jobs: { type: 'string', default: '1000' },
  },
});
const pairs = Number(given.pairs ?? (given.quick ? 1 : 5));
const amount = Number(given.amount ?? (given.quick ? 1_000 : 4_000));
const warmUp = given.quick ? 1_000 : 3_000;
const jobCount = Number(given.jobs);
const connectionCounts = given.connections.split(',').map(Number);
const isWanted = (name) =>
  wanted.length === 0 || wanted.some((part) => name.toLowerCase().includes(part.toLowerCase()));
const chosen = Object.entries(scenarios).filter(([name]) => isWanted(name));
const measures = ['memory', 'start', 'files'];
if (chosen.length === 0 && !measures.some(isWanted))
  throw new Error(`no such scenario; choose from: ${[...Object.keys(scenarios), ...measures].join(', ')}`);

const folder = await mkdtemp(join(tmpdir(), 'gateway-bench-'));
const database = await prepareDatabase(process.env.MONGODB_URI, { folder, jobCount });
const results = { at: new Date(), ...versions(), store: database.description, jobCount, pairs, measured: [] };
try {
  const floor = await startFloor(database);
  // Peers need a MongoDB server: the built-in store serves only one process.
  const hasPeers = process.env.MONGODB_URI && chosen.some(([, scenario]) => scenario.hasPeers);
  const peers = hasPeers ? await startPeers(database) : [];
  if (hasPeers && peers.length === 0)
    console.log('Without the peers, which take: npm install --prefix test/bench/peer\n');
  for (const quota of new Set(chosen.map(([, scenario]) => scenario.quota))) {
    const gateway = await startGateway(database, quota);
    const target = { jobCount, token: gateway.token, badToken: gateway.badToken };
    for (const [name, scenario] of chosen.filter(([, each]) => each.quota === quota)) {
      for (const connections of connectionCounts) {
        const load = (side, next, status, share = 1) => [
          side,
          { next: () => next(target), status, connections, amount: Math.ceil(amount * share) },
        ];
        const other = load(floor.server, floorRequest, 200);
        const sides = [
          [name, gateway.server],
          ...(scenario.hasPeers ? peers.map(([peer, server]) => [`${name}: ${peer}`, server]) : []),
        ];
        for (const [side, server] of sides) {
          const one = load(server, scenario.next, scenario.status, scenario.share);
          // Warm up: let the compilers finish on both sides.
          for (const [driven, options] of [one, other])
            await drive(driven, {
              ...options,
              amount: Math.max(options.amount, Math.ceil((warmUp * options.amount) / amount)),
            });
          const measured = { name: side, connections, ...(await compare(one, other, pairs)) };
          if (results.measured.length === 0) console.log(heading);
          results.measured.push(measured);
          console.log(line(measured));
        }
      }
    }
    await gateway.server.stop();
  }
  await floor.server.stop();
  for (const [, peer] of peers) await peer.stop();
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
    results.startMs = summary(await measureStart(folder, pairs));
    console.log(`start to ready, ms: ${times(results.startMs, 0)}`);
  }
} finally {
  await database.drop();
  await rm(folder, { recursive: true, force: true });
}

const file = fileURLToPath(
  new URL(`results/${results.at.toISOString().replace(/\W/g, '')}.json`, import.meta.url),
);
await mkdir(fileURLToPath(new URL('results/', import.meta.url)), { recursive: true });
await writeFile(file, `${JSON.stringify(results, null, 2)}\n`);
console.log(`\n${cpus().length} processors, ${results.store}; written to ${file}`);
