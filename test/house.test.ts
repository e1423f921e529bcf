import { expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { dirname, join } from 'node:path';
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

it('some test gives every setting a value of its own', () => {
  // Each test gateway has the first, and tests of parsers see no effect.
  const others = ['test', ':!test/support/gateway.ts', ':!test/settings'];
  const given = execFileSync('git', ['grep', '-hoE', '\\b[A-Z_]+: ', ...others], {
    cwd: root,
    encoding: 'utf8',
  });
  const names = new Set(given.split(/[:\s]+/));
  const variables = Object.values(settingsTable).map(({ variable }) => variable);
  expect(variables.filter((variable) => !names.has(variable))).toEqual([]);
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

it('an update runs through the ten files of src/README.md', async () => {
  const text = readFileSync(join(root, 'src/README.md'), 'utf8');
  const files = [...text.matchAll(/^\d+\. `([\w./-]+\.ts)`:/gm)].map(([, file]) => `src/${file}`);
  expect(files).toHaveLength(10);
  const inspector = new Session();
  inspector.connect();
  await inspector.post('Profiler.enable');
  await inspector.post('Profiler.startPreciseCoverage', { callCount: true });
  const gateway = await startGateway(usual.settings, { log: createLog(usual.settings) });
  const token = await usual.token();
  const job = 'acme-backend-engineer';
  await rest(gateway, 'POST', `/jobs/${job}`, { json: { salary: '1' } }, { token });
  await graphql(
    gateway,
    `mutation { updateJob(input: { jobPublicId: "${job}", salary: "2" }) { job { salary } } }`,
    {},
    { token },
  );
  await gateway.stop();
  const { result } = await inspector.post('Profiler.takePreciseCoverage');
  inspector.disconnect();
  const hasRun = (file: string) =>
    result.some(
      ({ url, functions }) => url.endsWith(`/${file}`) && functions.some(({ ranges }) => ranges[0]?.count),
    );
  expect(files.filter((file) => !hasRun(file))).toEqual([]);
});

// A field adds some ten lines. If a subject comes in, give it a resolver or an interface of its own.
it('the resolver of an update reaches at most 80 files of 7 000 lines', () => {
  const reached = new Map<string, number>();
  const follow = (file: string) => {
    if (reached.has(file) || !existsSync(file)) return;
    const text = readFileSync(file, 'utf8');
    reached.set(file, text.split('\n').length - 1);
    for (const [, path = ''] of text.matchAll(/from '(\.[^']+)\.js'/g))
      follow(`${join(dirname(file), path)}.ts`);
  };
  follow(join(root, 'src/job/job.resolver.ts'));
  expect(reached.size).toBeLessThan(81);
  expect([...reached.values()].reduce((sum, lines) => sum + lines)).toBeLessThan(7_001);
});
