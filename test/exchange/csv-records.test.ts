import { expect, it, jest } from '@jest/globals';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// A record of the 16 MiB that it may have takes the parser seconds.
const splitLines = await import('../../src/exchange/input/split-lines.js');
jest.unstable_mockModule('../../src/exchange/input/split-lines.js', () => ({
  ...splitLines,
  longestRecordBytes: 2 ** 20,
}));
const { readRecords } = await import('../../src/exchange/input/input-file.js');

it('a record of CSV is no longer than its bound, so that a quote without an end holds no more (Contract 12.3.3)', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'csv-'));
  const name = join(folder, 'long.csv');
  await writeFile(name, `public_id,name\nshort,Porter\nlong,"${'x'.repeat(2 ** 20)}"\n`);
  const handle = await open(name);
  const records = [];
  for await (const some of readRecords({ name, handle, bytes: 0, csvKind: 'job' }, () => undefined))
    records.push(...some);
  await handle.close();
  await rm(folder, { recursive: true });
  expect(records).toEqual([
    { number: 2, given: { public_id: 'short', name: 'Porter' }, length: 12 },
    { number: 3, given: null, problem: expect.stringMatching(/^The line must be CSV of at most 1 MiB/) },
  ]);
});
