import { URL } from 'node:url';
import autocannon from 'autocannon';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { claims, records, scenariosFor } from './data.mjs';

const { values: given, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: {
    beside: { type: 'string', multiple: true, default: [] },
    rounds: { type: 'string', default: '5' },
    amount: { type: 'string', default: '2000' },
    connections: { type: 'string', default: '16' },
    jobs: { type: 'string', default: '1000' },
    'database-pid': { type: 'string' },
  },
});
const [rounds, amount, connections, jobCount] = [
  given.rounds,
  given.amount,
  given.connections,
  given.jobs,
].map(Number);
const isWanted = (name) => wanted.length === 0 || wanted.some((part) => name.includes(part));
/** A tick of processor time: USER_HZ is 100 per second on every Linux that Node runs on. */
const tickMs = 10;
const lifted = '1000000/1s';

/** User and system time of a process so far, with all its threads and its ended child processes, in steps of 10 ms. */
function processorMs(pid) {
  const [user, system, userOfEnded, systemOfEnded] = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .split(') ')
    .at(-1)
    .split(' ')
    .slice(11)
    .map(Number);
  return { own: (user + system) * tickMs, ended: (userOfEnded + systemOfEnded) * tickMs };
}

const databaseMs = () => {
  if (!given['database-pid']) return 0;
  const { own, ended } = processorMs(given['database-pid']);
  return own + ended;
};

const median = (values) => values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)];
const told = (values, digits = 2) =>
  `${median(values).toFixed(digits)} (${Math.min(...values).toFixed(digits)}–${Math.max(...values).toFixed(digits)})`;

const folder = await mkdtemp(join(tmpdir(), 'gateway-bench-'));
const lines = join(folder, 'records.jsonl');
await writeFile(lines, [...records(jobCount)].map((record) => `${JSON.stringify(record)}\n`).join(''));

/** A build of the gateway with a database of its own, which is filled by the build's own commands. */
class Side {
  constructor(build, index) {
    this.build = build;
    this.environment = {
      PATH: process.env.PATH,
      NODE_ENV: 'development',
      PORT: '0',
      DATA_DIR: join(folder, `side-${index}`),
      ...(process.env.MONGODB_URI && { MONGODB_URI: uriOf(`bench_${process.pid}_${index}`) }),
      ...{ UPDATE_JOB_QUOTA: lifted, MUTATION_QUOTA: lifted, READ_QUOTA: lifted },
      // A page of 50 jobs with every field: each job could have 100 questions.
      GRAPHQL_MAX_COMPLEXITY: '100000',
    };
    this.scenarios = scenariosFor(build, jobCount);
  }

  /** Runs a command. @returns its output, the seconds that it took, and its processor time in seconds */
  async run(command, ...argv) {
    const startedMs = performance.now();
    const beforeMs = processorMs(process.pid).ended;
    const child = spawn(process.execPath, [join(this.build, `dist/cli/${command}.js`), ...argv], {
      env: this.environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [output, faults] = ['', ''];
    child.stdout.on('data', (text) => (output += text));
    child.stderr.on('data', (text) => (faults += text));
    const [code] = await once(child, 'close');
    if (code !== 0) throw new Error(`${command} of ${this.build}: ${faults}`);
    const seconds = (performance.now() - startedMs) / 1_000;
    return { output, seconds, processor: (processorMs(process.pid).ended - beforeMs) / 1_000 };
  }

  /** @returns the milliseconds until it was ready */
  async start() {
    const path = join(folder, 'gateway.log');
    const log = openSync(path, 'w');
    const startedMs = performance.now();
    this.child = spawn(process.execPath, [join(this.build, 'dist/main.js')], {
      env: this.environment,
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    for (;;) {
      this.url = /"url":"([^"]+)".*"msg":"ready"/.exec(readFileSync(path, 'utf8'))?.[1];
      if (this.url) return performance.now() - startedMs;
      if (this.child.exitCode !== null) throw new Error(readFileSync(path, 'utf8'));
      await sleep(5);
    }
  }

  /** Sends requests. @returns the processor times for each, in ms, and the requests a second */
  async drive(next, count) {
    const [beforeMs, databaseBeforeMs] = [processorMs(this.child.pid).own, databaseMs()];
    const run = autocannon({
      url: this.url,
      connections,
      amount: Math.max(count, connections),
      requests: [
        {
          setupRequest: (request) => {
            const { headers, ...made } = next();
            return { ...request, ...made, headers: { ...headers, authorization: `Bearer ${this.token}` } };
          },
        },
      ],
      timeout: 30,
      // After so many requests on a connection, the gateway closes it.
      reconnectRate: 1_000,
      // A GraphQL reply with errors has status 200 too.
      verifyBody: (body) => !body.includes('"errors":['),
    });
    const startedMs = performance.now();
    let repliedMs;
    // A run ends with a whole second, so its own duration is too long.
    run.on('response', () => (repliedMs = performance.now()));
    const { errors, mismatches, non2xx, requests } = await run;
    if (errors + mismatches + non2xx > 0) throw new Error(`${this.build} answered with errors`);
    return {
      server: (processorMs(this.child.pid).own - beforeMs) / requests.total,
      database: (databaseMs() - databaseBeforeMs) / requests.total,
      perSecond: (requests.total / (repliedMs - startedMs)) * 1_000,
    };
  }

  residentMib = () =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${this.child.pid}/status`))[1]) / 1_024;

  async stop() {
    const exited = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    await exited;
  }
}

function uriOf(name) {
  const uri = new URL(process.env.MONGODB_URI);
  uri.pathname = `/${name}`;
  return uri.href;
}

const print = (side, text) => console.log(`${side.build}: ${text}`);
const sides = [join(import.meta.dirname, '../..'), ...given.beside.map((path) => resolve(path))].map(
  (build, index) => new Side(build, index),
);
try {
  for (const side of sides) {
    await side.run('seed');
    const { seconds, processor } = await side.run('import', lines);
    print(
      side,
      `import of ${jobCount} jobs: ${seconds.toFixed(1)} s, ${processor.toFixed(1)} s of processor time`,
    );
    const again = await side.run('import', lines);
    print(side, `the same again: ${again.seconds.toFixed(1)} s, ${again.processor.toFixed(1)} s`);
    side.token = (await side.run('token', ...claims)).output.trim();
    const starts = [];
    for (let round = 0; round < rounds; round += 1) {
      starts.push(await side.start());
      if (round < rounds - 1) await side.stop();
    }
    print(side, `start until ready: ${told(starts, 0)} ms`);
  }
  for (const name of Object.keys(sides[0].scenarios).filter(isWanted)) {
    const share = name.includes('every') ? 0.1 : 1;
    const runs = new Map(sides.map((side) => [side, []]));
    // The first round warms up. Each round runs all sides in turn, so that other load affects them alike.
    for (let round = 0; round <= rounds; round += 1)
      for (const side of sides) runs.get(side).push(await side.drive(side.scenarios[name], amount * share));
    for (const [side, [, ...measured]] of runs) {
      const of = (figure, digits) =>
        told(
          measured.map((each) => each[figure]),
          digits,
        );
      print(
        side,
        `${name}: ${of('server')} ms, database ${of('database')} ms, ${of('perSecond', 0)} a second`,
      );
    }
  }
  if (isWanted('memory'))
    for (const side of sides) {
      await side.drive(side.scenarios['updateJob over GraphQL'], 10_000);
      const before = side.residentMib();
      await side.drive(side.scenarios['updateJob over GraphQL'], 90_000);
      print(
        side,
        `memory after 10 000 and 100 000 updates: ${before.toFixed(0)} and ${side.residentMib().toFixed(0)} MiB`,
      );
    }
} finally {
  await Promise.all(sides.filter(({ child }) => child?.exitCode === null).map((side) => side.stop()));
  await rm(folder, { recursive: true, force: true });
}
console.log(`${cpus().length} × ${cpus()[0].model}, Node.js ${process.version}`);
