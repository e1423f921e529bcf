import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { modelsOf } from '../../src/database/models.js';
import { commandsOn } from '../support/commands.js';
import { openTestDatabase, type TestDatabase } from '../support/database.js';
import { root } from '../support/process.js';

const folder = join(root, 'schema/examples/records');
const files = (await readdir(folder)).filter((name) => name.endsWith('.jsonl'));
const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')));
const records = texts.flatMap((text) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>),
);
const schema = JSON.parse(await readFile(join(root, 'schema/records.schema.json'), 'utf8')) as object;

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

describe('the examples of the records of an import (Contract 12.3.1)', () => {
  it('are of every kind, and valid by the schema that is emitted', () => {
    expect(new Set(records.map(({ kind }) => kind))).toEqual(
      new Set(['media', 'reference', 'company', 'job']),
    );
    const ajv = new Ajv2020({ allowUnionTypes: true });
    (addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
    const validate = ajv.compile(schema);
    for (const record of records) {
      validate(record);
      expect(validate.errors).toBeNull();
    }
    expect(validate({ kind: 'job', public_id: 'x', salary: 'x'.repeat(31) })).toBe(false);
  });

  it('are brought in, whatever the order of the files, then those in CSV (Contract 12.3.9)', async () => {
    const { importFiles } = commandsOn(database.uri);
    const paths = [...files].reverse().map((name) => join(folder, name));
    expect(await importFiles(paths)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        new RegExp(`^${records.length} inserted, 0 changed, 0 unchanged, 0 faulty$`, 'm'),
      ),
    });
    expect((await importFiles(['--kind', 'job', join(folder, 'jobs.csv')])).stdout).toMatch(/^1 inserted/m);
    expect((await importFiles(['--kind', 'company', join(folder, 'companies.csv')])).stdout).toMatch(
      /^1 inserted/m,
    );
    const { jobs, companies } = modelsOf(database.connection);
    expect(await jobs.findOne({ publicId: 'owl-night-porter' }).lean()).toMatchObject({
      location: { city: 'Paris', addressNbr: '12' },
      questions: [expect.objectContaining({ ref: 'firstname' })],
    });
    expect(await companies.findOne({ publicId: 'owl' }).lean()).toMatchObject({ logo: { kind: 'file' } });
  });
});
