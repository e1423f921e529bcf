import { readFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { URL } from 'node:url';

const columns = [
  ['conn.', 5],
  ['server ms', 9],
  ['database ms', 11],
  ['sum ms', 7],
  ['gateway ÷ it: server', 20],
  ['database', 8],
  ['sum', 16],
  ['requests/s', 10],
  ['p50 ms', 6],
  ['p99 ms', 6],
];
const row = (first, cells) =>
  [first.padEnd(44), ...cells.map((cell, index) => cell.padStart(columns[index][1]))].join('  ');

export const heading = row(
  'scenario: side',
  columns.map(([title]) => title),
);

export const times = ({ median, min, max }, digits = 2) =>
  `${median.toFixed(digits)} (${min.toFixed(digits)}–${max.toFixed(digits)})`;

export const line = ({ name, connections, side, gatewayToSide: ratios, ...figures }) =>
  row(`${name}: ${side}`, [
    String(connections),
    figures.serverMs.median.toFixed(2),
    figures.databaseMs.median.toFixed(2),
    figures.sumMs.median.toFixed(2),
    ...(side === 'gateway'
      ? ['', '', '']
      : [ratios.serverMs.median.toFixed(2), ratios.databaseMs.median.toFixed(2), times(ratios.sumMs)]),
    figures.perSecond.median.toFixed(0),
    figures.p50Ms.median.toFixed(0),
    figures.p99Ms.median.toFixed(0),
  ]);

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
