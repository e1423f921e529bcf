import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual, promisify } from 'node:util';
import { root, type Running, startGatewayProcess } from '../support/process.js';
import { ownFolder } from '../support/own-folder.js';
import { assertNoFailure, isWriting } from '../support/stored-answers.js';

const path = join(root, 'README.md');
const readme = await readFile(path, 'utf8');
const jsonToken = /"(?:[^"\\]|\\.)*"|[\w.-]+/g;
const separator = '\u001e';

/** Machines encode a logo differently, so its hash differs. */
const withoutHash = (text: string) => text.replace(/\/logos\/[\da-f]{64}/g, '/logos/HASH');

/** Every runnable shell block, with the answer below it, if any. */
const examples = [...readme.matchAll(/<!-- run -->\s+```sh\n([^]*?)```(?:\s+```json\n([^]*?)```)?/g)].map(
  ([, command = '', answer = '']) => ({ command, answer }),
);

let gateway: Running;
const dataDir = ownFolder();
let answers: string[];

beforeAll(async () => {
  gateway = await startGatewayProcess({ DATA_DIR: dataDir });
  // Run all blocks in one shell, as a reader would.
  const script = examples
    .map(
      ({ command }) => `${command.replaceAll('http://127.0.0.1:4000', gateway.url)}\nprintf '${separator}'`,
    )
    .join('\n');
  const { stdout } = await promisify(execFile)('bash', ['-c', script], {
    cwd: root,
    env: { ...process.env, DATA_DIR: dataDir, NODE_OPTIONS: '' },
  });
  answers = withoutHash(stdout).replaceAll(gateway.url, 'http://127.0.0.1:4000').split(separator);
});
afterAll(() => gateway.end('SIGTERM'));

describe('the README', () => {
  it('has runnable examples', () => expect(examples.length).toBeGreaterThan(3));

  it.each(examples.map((example, index) => ({ ...example, index, title: example.command.split('\n')[0] })))(
    'shows the actual answer to: $title',
    async ({ answer, index }) => {
      const actual = answers[index] ?? '';
      if (answer === '') return expect(actual).toBe('');
      const [shown, now] = [withoutHash(answer), actual].map((text) => JSON.parse(text) as unknown);
      assertNoFailure(path, now);
      if (!isWriting || isDeepStrictEqual(now, shown)) return expect(now).toEqual(shown);
      const values = JSON.stringify(now).match(jsonToken)!.values();
      const written = answer.replace(jsonToken, (old) => {
        const value = values.next().value!;
        return withoutHash(old) === value ? old : value;
      });
      await writeFile(
        path,
        (await readFile(path, 'utf8')).replace(answer, () => written),
      );
    },
  );

  it('has at most 150 lines and 1 000 words', () => {
    expect(readme.trim().split('\n').length).toBeLessThanOrEqual(150);
    expect(readme.trim().split(/\s+/).length).toBeLessThanOrEqual(1_000);
  });
});
