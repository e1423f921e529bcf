import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { modelsOf } from '../../src/models.js';
import { expectChain, readAccounts } from '../reliability/support/ledger.js';
import { commandsOn, linesOf, recordsOf } from '../support/commands.js';
import { loseLease } from '../support/lease.js';
import { ownGateway } from '../support/own-gateway.js';
import { ownDatabase } from '../support/own-database.js';
import { root } from '../support/process.js';
import { rest } from '../support/requests.js';

const publicId = 'acme-backend-engineer';
const gateway = ownGateway();

/** Kills imports at random moments, then lets one finish, and expects the records and history of an undisturbed import. */
async function expectImportSurvivesKills(jobs: number, rounds: number): Promise<void> {
  const { models } = gateway;
  const environment = { NODE_ENV: 'test', MONGODB_URI: gateway.settings.mongodbUri ?? '' };
  const folder = await mkdtemp(join(tmpdir(), 'import-killed-'));
  const job = (index: number, salary: string) => ({
    ...{
      kind: 'job',
      public_id: `killed-${index}`,
      media_public_id: 'demo-media',
      company_public_id: 'acme',
    },
    ...{ name: `Job ${index}`, salary, description_job: `<p>Number ${index}</p>` },
  });
  const before = join(folder, 'before.jsonl');
  const path = join(folder, 'jobs.jsonl');
  const numbers = Array.from({ length: jobs }, (_, index) => index);
  await writeFile(
    before,
    linesOf(numbers.filter((index) => index % 2 === 0).map((index) => job(index, 'old'))),
  );
  await writeFile(path, linesOf(numbers.map((index) => job(index, `new ${index}`))));
  const start = (...argv: string[]) =>
    spawn(process.execPath, [join(root, 'dist/cli/import.js'), ...argv], {
      env: { ...process.env, NODE_OPTIONS: '', ...environment },
      stdio: 'ignore',
    });
  // Only the timed run and the killed runs need their own process.
  const { importFiles } = commandsOn(environment.MONGODB_URI ?? '', environment);
  try {
    await importFiles([before]);
    const startedMs = performance.now();
    await once(start('--dry-run', path), 'exit');
    // A run that writes takes longer than a dry run.
    const longestMs = (performance.now() - startedMs) * 1.6;
    for (let round = 0; round < rounds; round += 1) {
      const child = start(path);
      await sleep(Math.random() * longestMs);
      const ended = child.exitCode === null ? once(child, 'exit') : null;
      child.kill('SIGKILL');
      await ended;
      await loseLease(models);
    }
    const { code, stderr } = await importFiles([path]);
    expect([code, code === 0 ? '' : stderr]).toEqual([0, '']);
    expect(await importFiles([path])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(new RegExp(`^0 inserted, 0 changed, ${jobs} unchanged, 0 faulty$`, 'm')),
    });

    const stored = await models.jobs.find({ publicId: /^killed-/ }).lean();
    expect(stored).toHaveLength(jobs);
    const moved = await models.history.find({ record: { $in: stored.map(({ _id }) => _id) } }).lean();
    const entries = [...moved, ...stored.flatMap(({ pendingHistory }) => pendingHistory)];
    expect(entries).toHaveLength(Math.ceil(jobs / 2));
    for (const { publicId, salary, version } of stored) {
      const index = Number(publicId.split('-')[1]);
      expect([salary, version]).toEqual([`new ${index}`, index % 2 === 0 ? 2 : 1]);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

describe('an import (Contract 9.2.2, 9.2.3)', () => {
  it('loses no concurrent update, and adds its own change to the history once', async () => {
    const token = await gateway.token();
    const job = (index: number) => ({
      ...{
        kind: 'job',
        public_id: `beside-${index}`,
        media_public_id: 'demo-media',
        company_public_id: 'acme',
      },
      name: 'Porter',
    });
    const lines = Array.from({ length: 1_200 }, (_, index) => job(index));
    const own = { kind: 'job', public_id: publicId, salary: 'imported' };
    const records = [...lines.slice(0, 1_100), own, ...lines.slice(1_100)];
    let isOver = false;
    const importing = commandsOn(gateway.settings.mongodbUri ?? '')
      .importFiles(['--actor', 'jo', '-'], linesOf(records))
      .finally(() => (isOver = true));
    const acknowledged: string[] = [];
    for (let count = 0; !isOver; count += 1) {
      const salary = `called ${count}`;
      const json = { media_public_id: 'demo-media', company_public_id: 'acme', salary };
      const { status } = await rest(gateway, 'POST', `/jobs/${publicId}`, { json }, { token });
      expect(status).toBe(200);
      acknowledged.push(salary);
    }
    expect(await importing).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/1200 inserted, 1 changed/),
    });

    const [account] = await readAccounts(gateway.models, { publicId });
    const { entries } = account!;
    expectChain(account!, 'salary');
    const after = entries.map(({ changes }) => changes.find(({ field }) => field === 'salary')?.after);
    expect(after.filter((salary) => salary !== 'imported')).toEqual(acknowledged);
    expect(entries.filter(({ transport, actor }) => transport === 'import' && actor === 'jo')).toHaveLength(
      1,
    );
  });

  it('has the result of a single run if killed and run again', async () => {
    await expectImportSurvivesKills(1_100, 2);
  });
});

const folder = join(root, 'schema/examples/records');
const files = (await readdir(folder)).filter((name) => name.endsWith('.jsonl'));
const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')));
const records = texts.flatMap(recordsOf);
const schema = JSON.parse(await readFile(join(root, 'schema/records.schema.json'), 'utf8')) as object;

const { database } = ownDatabase();

describe('the example files of an import', () => {
  it('have records of every kind, and match the published schema', () => {
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

  it('can be imported in any order, followed by the CSV examples', async () => {
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
