import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { runTokenCommand } from '../../src/cli/token.js';
import { ownFolder } from '../support/own-folder.js';
import { type Running, startGatewayProcess } from '../support/process.js';
import { until } from '../support/until.js';
import { hostileRequest, shapeCount } from './fuzz/hostile.js';
import { Dice } from './fuzz/malformed.js';
import { processorMs } from './fuzz/process-cost.js';

/** A tenth as many as malformed requests, because hostile requests are sent one at a time. */
const count = Math.ceil(Number(process.env.FUZZ_REQUESTS ?? 500) / 10);
const firstSeed = Number(process.env.FUZZ_SEED ?? 0);
const firstSeeds = Array.from({ length: Math.max(count, shapeCount) }, (_, index) => firstSeed + index);

const most = {
  processorMs: 150,
  errorBytes: 2 ** 16,
  bytes: 2 ** 21 + 2 ** 17,
  unreadMiB: 60,
  leftMiB: 8,
};
/** The cheapest try counts: the first try compiles code, and a busy machine slows some tries. */
const mostTries = 4;

/** Seeds that once exceeded a bound, or came close. */
const onceCostly: readonly number[] = [1865, 2273, 2443, 2545, 2919];

const collectedGarbage = 'collected garbage';
const collecting = `
  import { setFlagsFromString } from 'node:v8';
  import { runInNewContext } from 'node:vm';
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  process.on('SIGUSR2', () => {
    collect();
    console.error('${collectedGarbage}');
  });`;

let gateway: Running;
let token: string;
const dataDir = ownFolder();

beforeAll(async () => {
  const lifted = '100000000/1s';
  gateway = await startGatewayProcess({
    NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(collecting)}`,
    DATA_DIR: dataDir,
    UPDATE_JOB_QUOTA: lifted,
    MUTATION_QUOTA: lifted,
    READ_QUOTA: lifted,
    AUTH_FAILURE_QUOTA: lifted,
  });
  const claims = ['--roles', 'media_admin', '--scope', 'r_w_jobs r_w_companies', '--media', 'demo-media'];
  const { stdout } = await runTokenCommand([...claims, '--expires', '1d'], { DATA_DIR: dataDir });
  token = stdout.trim();
  await fillJobs();
});
afterAll(() => gateway.end('SIGTERM'));

/** Fills the jobs with the longest texts allowed. */
async function fillJobs(): Promise<void> {
  const text = `<p>${'é'.repeat(19_990)}</p>`;
  const parts = ['company', 'job', 'profile', 'benefits', 'process'];
  const body = JSON.stringify({
    media_public_id: 'demo-media',
    company_public_id: 'acme',
    ...Object.fromEntries(parts.map((part) => [`description_${part}`, text])),
  });
  for (const job of ['backend-engineer', 'data-analyst', 'night-guard', 'office-manager']) {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    const { status } = await fetch(`${gateway.url}/jobs/acme-${job}`, { method: 'POST', headers, body });
    expect(status).toBe(200);
  }
}

interface Judged {
  seed: number;
  shape: string;
  ms: number;
  fault: string | null;
}

async function judge(seed: number): Promise<Judged> {
  const { shape, method, path, headers, body } = hostileRequest(seed, new Dice(seed), token);
  let least = Infinity;
  for (let tries = 0; tries < mostTries && least > most.processorMs / 2; tries += 1) {
    const before = await processorMs(gateway);
    const response = await fetch(gateway.url + path, {
      method,
      headers,
      ...(body !== undefined && { body }),
      signal: AbortSignal.timeout(60_000),
    }).catch((error: unknown) => (error as Error).cause);
    // The gateway may close the connection once the body exceeds the limit.
    if (!(response instanceof Response)) return { seed, shape, ms: 0, fault: null };
    const text = await response.text();
    least = Math.min(least, (await processorMs(gateway)) - before);
    const isError = response.status >= 400 || text.startsWith('{"errors"');
    const bytes = Buffer.byteLength(text);
    if (response.status >= 500) return { seed, shape, ms: least, fault: `answered ${response.status}` };
    if (bytes > (isError ? most.errorBytes : most.bytes))
      return { seed, shape, ms: least, fault: `answered ${response.status} with ${bytes} bytes` };
  }
  return { seed, shape, ms: least, fault: least > most.processorMs ? `took ${least.toFixed()} ms` : null };
}

const told = ({ seed, shape, ms, fault }: Judged): string =>
  `seed ${seed}: ${shape}: ${ms.toFixed(0)} ms${fault ? `, ${fault}` : ''}`;

async function openOf(sockets: readonly Socket[]): Promise<number> {
  const hex = (port: unknown) => Number(port).toString(16).toUpperCase().padStart(4, '0');
  const table = await readFile('/proc/net/tcp', 'utf8');
  const { port } = new URL(gateway.url);
  const isOpen = ({ localPort }: Socket) =>
    new RegExp(`: [0-9A-F]+:${hex(port)} [0-9A-F]+:${hex(localPort)} 01 `).test(table);
  return sockets.filter(isOpen).length;
}

describe('a hostile request (Contract 8.2.7)', () => {
  it(
    `costs at most ${most.processorMs} ms of processor time, and its answer stays within the size limits: ${firstSeeds.length} requests of ${shapeCount} shapes`,
    async () => {
      const judged: Judged[] = [];
      for (const seed of [...onceCostly, ...firstSeeds]) judged.push(await judge(seed));
      const costliest = judged.toSorted((one, other) => other.ms - one.ms).slice(0, 5);
      process.stdout.write(`the costliest:\n${costliest.map(told).join('\n')}\n`);
      expect(judged.filter(({ fault }) => fault).map(told)).toEqual([]);
    },
    60_000 + count * 2_000,
  );

  it(`sent repeatedly by thirty callers who never read costs at most ${most.unreadMiB} MiB of memory, and nothing once they have left`, async () => {
    const list = `jobs(mediaPublicId: "demo-media", first: 100) { edges { node {
      description { companyDesc jobDesc profileDesc benefitDesc processDesc } } } }`;
    // Nearly the largest answer.
    const query = `{ one: ${list} other: ${list} }`;
    const body = JSON.stringify({ query });
    const asked =
      `POST /graphql HTTP/1.1\r\nHost: gateway\r\nAuthorization: Bearer ${token}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    /** The least of several looks, and of more while that is over `boundMiB`: on a busy machine, some requests still run. */
    const heldMiB = async (boundMiB = Infinity) => {
      let least = Infinity;
      for (let looks = 0; looks < 8 || (looks < 80 && least > boundMiB); looks += 1, await sleep(100)) {
        const collected = gateway.output().split(collectedGarbage).length;
        gateway.child.kill('SIGUSR2');
        await until(() => gateway.output().split(collectedGarbage).length > collected);
        const metrics = await (await fetch(`${gateway.url}/metrics`)).text();
        const inUse = metrics.matchAll(/^nodejs_(?:heap_size_used|external_memory)_bytes (.*)$/gm);
        least = Math.min(least, [...inUse].reduce((sum, [, bytes]) => sum + Number(bytes), 0) / 2 ** 20);
      }
      return least;
    };
    // The first answers load code and enlarge buffers that stay in memory.
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    const read = async () =>
      (await fetch(`${gateway.url}/graphql`, { method: 'POST', headers, body })).text();
    await Promise.all(Array.from({ length: 30 }, read));
    const before = await heldMiB();
    const { hostname, port } = new URL(gateway.url);
    const sockets = Array.from({ length: 30 }, () => {
      const socket = connect(Number(port), hostname).pause();
      socket.on('error', () => undefined);
      socket.write(asked.repeat(10));
      return socket;
    });
    // Once the system's buffers are full, unread replies stay in the gateway. It closes the connections of the oldest replies long
    // before the one-minute timeout of idle connections.
    const areCutOff = async () => (await openOf(sockets)) < sockets.length;
    for (let looks = 0; looks < 40 || (looks < 400 && !(await areCutOff())); looks += 1) await sleep(100);
    const mib = (await heldMiB(before + most.unreadMiB)) - before;
    process.stdout.write(`thirty callers who never read: ${mib.toFixed()} MiB beside ${before.toFixed()}\n`);
    expect(mib).toBeLessThan(most.unreadMiB);
    expect(await areCutOff()).toBe(true);
    // Some of them leave before their replies are ready.
    for (const socket of sockets) socket.destroy();
    expect((await heldMiB(before + most.leftMiB)) - before).toBeLessThan(most.leftMiB);
  });
});
