import { expect, it } from '@jest/globals';
import { open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readRecords } from '../../src/exchange/input/input-file.js';
import { ownFolder } from '../support/own-folder.js';

const folder = ownFolder();

it('a CSV record has at most 16 MiB, even within a quote (Contract 12.3.3)', async () => {
  const name = join(folder, 'long.csv');
  await writeFile(name, `public_id,name\nshort,Porter\nlong,"${'x'.repeat(2 ** 24)}"\n`);
  const handle = await open(name);
  const records = [];
  for await (const some of readRecords({ name, handle, bytes: 0, csvKind: 'job' }, () => undefined))
    records.push(...some);
  await handle.close();
  expect(records).toEqual([
    { number: 2, given: { public_id: 'short', name: 'Porter' }, length: 12 },
    { number: 3, given: null, problem: expect.stringMatching(/^The line must be CSV of at most 16 MiB/) },
  ]);
});
