import { readFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { URL } from 'node:url';

export const heading = [
  'scenario'.padEnd(32),
  'conn.'.padStart(5),
  'processor time ×'.padStart(22),
  'ms gateway / floor'.padStart(20),
  'requests/s'.padStart(13),
  'p50 ms'.padStart(12),
  'p99 ms'.padStart(12),
].join('  ');

export const times = ({ median, min, max }, digits = 2) =>
  `${median.toFixed(digits)} (${min.toFixed(digits)}–${max.toFixed(digits)})`;
const both = ({ gateway, floor }, digits) =>
  `${gateway.median.toFixed(digits)} / ${floor.median.toFixed(digits)}`;

export const line = ({ name, connections, cpuMs, perSecond, p50Ms, p99Ms }) =>
  [
    name.padEnd(32),
    String(connections).padStart(5),
    times(cpuMs.ratio).padStart(22),
    both(cpuMs, 3).padStart(20),
    both(perSecond, 0).padStart(13),
    both(p50Ms, 0).padStart(12),
    both(p99Ms, 0).padStart(12),
  ].join('  ');

export function versions() {
  const { dependencies } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  const { version } = JSON.parse(
    readFileSync(new URL('../../node_modules/mongodb/package.json', import.meta.url), 'utf8'),
  );
  const [{ model }] = cpus();
  return {
    node: process.version,
    mongodbDriver: version,
    apolloServer: dependencies['@apollo/server'],
    fastify: dependencies.fastify,
    machine: `${cpus().length} × ${model}, ${Math.round(totalmem() / 2 ** 30)} GiB`,
  };
}
