import { expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { startGateway } from '../src/gateway.js';
import { createLog } from '../src/log/log.js';
import { createMetrics } from '../src/metrics/metrics.js';
import { settingsTable } from '../src/settings/settings-table.js';
import { ownGateway } from './support/own-gateway.js';
import { root } from './support/process.js';
import { graphql, rest } from './support/requests.js';

const usual = ownGateway();

it('a gateway reads every setting', async () => {
  const read = new Set<PropertyKey>();
  const settings = new Proxy(
    { ...usual.settings },
    { get: (all, name) => read.add(name) && (Reflect.get(all, name) as unknown) },
  );
  const gateway = await startGateway(settings, { log: createLog(settings) });
  await rest(gateway, 'GET', '/jobs/acme-backend-engineer', undefined, { token: await usual.token() });
  await graphql(gateway, '{ viewer { subject } }', {}, { token: await usual.token() });
  await gateway.stop();
  // A rule reads a setting only if it applies.
  const rules = execFileSync('git', ['grep', '-hE', 'settings\\.', 'src/**.rules.ts'], {
    cwd: root,
    encoding: 'utf8',
  });
  const isRead = (name: string) => read.has(name) || new RegExp(`\\bsettings\\.${name}\\b`).test(rules);
  expect(Object.keys(settingsTable).filter((name) => !isRead(name))).toEqual([]);
});

it('the code uses every metric beyond its declaration', () => {
  const sources = execFileSync('git', ['grep', '-hE', 'metrics|Metrics', 'src', ':!src/metrics/metrics.ts'], {
    cwd: root,
    encoding: 'utf8',
  });
  const isUsed = (name: string) =>
    new RegExp(`\\bmetrics\\.${name}\\b|\\{[^{}]*\\b${name}\\b[^{}]*\\}: (Pick<)?Metrics\\b`).test(sources);
  expect(Object.keys(createMetrics()).filter((name) => !isUsed(name))).toEqual([]);
});
