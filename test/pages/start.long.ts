import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { build } from 'esbuild';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { ownFolder } from '../support/own-folder.js';
import { root, type Running, startGatewayProcess } from '../support/process.js';
import { assertNoFailure, isWriting } from '../support/stored-answers.js';

const path = join(root, 'schema/examples/start.md');
const text = await readFile(path, 'utf8');

const calls = [...text.matchAll(/^## (\w+)\n\n```(\w+)\n([^]*?)```\n\n```json\n([^]*?)```$/gm)].map(
  ([, name = '', language = '', call = '', answer = '']) => ({ name, language, call, answer }),
);

const folder = ownFolder();
const dataDir = join(folder, 'data');
let gateway: Running;
let token: string;

const run = async (file: string, argv: readonly string[]): Promise<string> =>
  (
    await promisify(execFile)(file, argv, {
      cwd: root,
      env: { ...process.env, DATA_DIR: dataDir, NODE_OPTIONS: '' },
    })
  ).stdout;

const programs: Record<string, (call: string) => Promise<string>> = {
  sh: (call) => run('bash', ['-c', call]),
  ts: async (call) => {
    const outfile = join(folder, 'call.mjs');
    await build({
      stdin: { contents: call, loader: 'ts', resolveDir: root },
      alias: { 'recruitment-gateway-client': './schema/client/dist/index.js' },
      ...{ outfile, bundle: true, platform: 'node', format: 'esm' },
    });
    return run(process.execPath, [outfile]);
  },
  py: (call) => run('python3', ['-c', call]),
  php: (call) => run('php', ['-r', call.replace('<?php', '')]),
};
const hasPhp = existsSync('/usr/bin/php');

beforeAll(async () => {
  gateway = await startGatewayProcess({ DATA_DIR: dataDir });
  const scopes = ['--roles', 'media_admin', '--scope', 'r_w_jobs r_w_companies', '--media', 'demo-media'];
  token = (await run(process.execPath, ['dist/cli/token.js', ...scopes])).trim();
});
afterAll(() => gateway.end('SIGTERM'));

describe('the first call on the start page', () => {
  it('is there in five languages, and one of the calls creates a job', () => {
    expect(calls.map(({ name }) => name)).toEqual(['GraphQL', 'REST', 'TypeScript', 'Python', 'PHP']);
    expect(calls.find(({ call }) => call.includes('Idempotency-Key'))?.name).toBe('Python');
  });

  it.each(calls.filter(({ language }) => language !== 'php' || hasPhp))(
    'has its true answer beside it: $name',
    async ({ language, call, answer }) => {
      // Two updates of jobs a second are allowed.
      await sleep(600);
      const filled = call.replaceAll('$BASE_URL', gateway.url).replaceAll('$TOKEN', token);
      const printed = JSON.parse(await programs[language]!(filled)) as unknown;
      assertNoFailure(path, printed);
      if (!isWriting) return expect(printed).toEqual(JSON.parse(answer));
      const written = (await readFile(path, 'utf8')).replace(
        `${call}\`\`\`\n\n\`\`\`json\n${answer}`,
        () => `${call}\`\`\`\n\n\`\`\`json\n${JSON.stringify(printed, null, 2)}\n`,
      );
      await writeFile(path, written);
    },
  );
});

/** The text that a panel shows. */
const textOf = (html: string): string =>
  Object.entries({ lt: '<', gt: '>', amp: '&' }).reduce(
    (text, [name, character]) => text.replaceAll(`&${name};`, character),
    html.replace(/<[^>]*>/g, ''),
  );

describe('the calls of /docs', () => {
  const languages: Record<string, (call: string) => Promise<string>> = {
    curl: programs.sh!,
    fetch: (call) => run(process.execPath, ['--input-type=module', '-e', call]),
    python: programs.py!,
    ...(hasPhp && { php: programs.php! }),
  };

  it.each(Object.keys(languages))('run as they are shown: %s', async (language) => {
    const html = await (await fetch(`${gateway.url}/docs`)).text();
    const panels = [...html.matchAll(new RegExp(`id="(\\w+)-call-${language}"[^>]*>([^]*?)</div>`, 'g'))];
    expect(panels.length).toBeGreaterThan(8);
    for (const [, operation, panel = ''] of panels) {
      const call = textOf(panel)
        .trim()
        .replaceAll('$BASE_URL', gateway.url)
        .replaceAll('$TOKEN', token)
        // Each language creates a job of its own.
        .replaceAll('acme-data-engineer', `acme-data-${language}`);
      expect([operation, await languages[language]!(call)]).toEqual([
        operation,
        expect.not.stringMatching(/"?error"?: ?['"]/),
      ]);
      await sleep(600);
    }
  });
});
