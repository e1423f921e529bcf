import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { mongo } from 'mongoose';
import { cursorOf, type Feed } from '../../src/change/change-cursor.rules.js';
import { reencodeLogo } from '../../src/company/logo/logo-image.js';
import { mostStoredBytes } from '../../src/company/logo/logo-intake.js';
import { LogoStore } from '../../src/company/logo/logo-store.js';
import { indexesOf } from '../../src/models.js';
import { encodeCursor } from '../../src/paging/page.js';
import { emptyLocation } from '../../src/job/location/location.js';
import { blackPng, swellingPng } from '../company/logo/test-images.js';
import { commandsOn, recordsOf } from '../support/commands.js';
import { dropDatabase } from '../support/database.js';
import { ownDatabase } from '../support/own-database.js';
import { root } from '../support/process.js';
import { withEnd, resetRecords } from '../support/reset-records.js';
import { ownFolder } from '../support/own-folder.js';

const { database: source, models } = ownDatabase();
const { database: target } = ownDatabase();
let hash: string;
const folder = ownFolder();

beforeEach(async () => {
  await dropDatabase(target.connection);
  await source.connection.collection('logos.files').deleteMany({});
  await source.connection.collection('logos.chunks').deleteMany({});
  await resetRecords(models);
  const logo = await reencodeLogo({ bytes: blackPng(8, 8), ...anySize });
  ({ hash } = logo);
  await new LogoStore(source.connection, () => new Date()).put(logo);
  await models.companies.updateOne({ publicId: 'acme' }, { logo: { kind: 'file', hash } });
});

const anySize = { caller: 'one', mostStoredBytes: Infinity };

describe('npm run export', () => {
  it('writes the same bytes after an import of its lines, in any order, into an empty database (Contract 9.2.4)', async () => {
    // An import recognises Kosovo only by its code (Contract 2.3.4, 5.7.4).
    await models.jobs.updateOne({ publicId: 'acme-night-guard' }, { 'location.countryCode': 'XKK' });
    // From the text alone, an import would resolve a place that the job does not have.
    await models.jobs.updateOne(
      { publicId: 'acme-office-manager' },
      { localisation: 'Lyon', location: emptyLocation },
    );
    // Old imports stored empty address parts, which an export writes as null.
    await models.jobs.updateOne({ publicId: 'acme-backend-engineer' }, { 'location.address': '' });
    const { code, stdout: exported } = await commandsOn(source.uri).exportAll();
    expect(code).toBe(0);
    const shuffled = exported.trimEnd().split('\n').reverse().join('\n');
    const { importFiles, exportAll } = commandsOn(target.uri);
    expect(await importFiles(['-'], shuffled)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^88 inserted, 0 changed, 0 unchanged, 0 faulty$/m),
    });
    expect((await exportAll()).stdout).toBe(exported);
    expect(await importFiles(['-'], exported)).toMatchObject({
      stdout: expect.stringMatching(/0 changed, 88 unch/),
    });
    const file = await new LogoStore(target.connection, () => new Date()).open(hash);
    expect(file?.contentType).toBe('image/png');
    file?.stream.destroy();
  });

  it('writes media, references, companies and jobs in this order, sorted by public id, and jobs in their current state', async () => {
    const publishedAt = new Date('2020-01-01');
    await models.jobs.updateOne({ publicId: 'acme-backend-engineer' }, withEnd({ publishedAt }));
    const records = recordsOf((await commandsOn(source.uri).exportAll()).stdout);
    const kinds = ['media', 'reference', 'company', 'job'];
    const sorted = [...records].sort(
      (one, other) =>
        kinds.indexOf(String(one.kind)) - kinds.indexOf(String(other.kind)) ||
        (String(one.public_id) < String(other.public_id) ? -1 : 1),
    );
    expect(records).toEqual(sorted);
    expect(records.find(({ public_id: id }) => id === 'acme-backend-engineer')).toMatchObject({
      state: 'archived',
    });
    expect(records.find(({ public_id: id }) => id === 'acme')).toMatchObject({ logo: { sha256: hash } });
  });

  it('writes the current logo if a call replaced the logo after the company was read', async () => {
    const next = await reencodeLogo({ bytes: blackPng(9, 9), ...anySize });
    // eslint-disable-next-line @typescript-eslint/unbound-method -- called with its store below
    const { open } = LogoStore.prototype;
    jest.spyOn(LogoStore.prototype, 'open').mockImplementationOnce(async function (this: LogoStore, asked) {
      await source.connection.collection('logos.files').deleteMany({ filename: asked });
      await this.put(next);
      await models.companies.updateOne({ publicId: 'acme' }, { logo: { kind: 'file', hash: next.hash } });
      return open.call(this, asked);
    });
    const { code, stdout } = await commandsOn(source.uri).exportAll('--kind', 'company');
    expect(code).toBe(0);
    expect(recordsOf(stdout).find(({ public_id: id }) => id === 'acme')).toMatchObject({
      logo: { sha256: next.hash, base64: next.bytes.toString('base64') },
    });
  });

  it('names a lost logo and continues', async () => {
    await source.connection.collection('logos.chunks').deleteMany({});
    const { code, stdout, stderr } = await commandsOn(source.uri).exportAll('--kind', 'company');
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^The logo of the company acme is lost/m)]);
    const companies = recordsOf(stdout);
    expect(companies).toHaveLength(await models.companies.countDocuments());
    expect(companies.find(({ public_id: id }) => id === 'acme')).not.toHaveProperty('logo');
  });

  it('names a record that it cannot write because something other than the gateway changed it (Contract 9.2.1)', async () => {
    await models.jobs.collection.updateOne({ publicId: 'acme-night-guard' }, { $set: { location: null } });
    const { code, stderr } = await commandsOn(source.uri).exportAll('--kind', 'job');
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/^The job acme-night-guard was changed by something other than the gateway: /m),
    ]);
  });

  it('writes only the requested kinds and media, and their history', async () => {
    const { exportAll, importFiles } = commandsOn(source.uri);
    await importFiles(
      ['--actor', 'jo', '-'],
      '{"kind":"job","public_id":"acme-backend-engineer","salary":"new"}',
    );
    const jobs = recordsOf((await exportAll('--kind', 'job', '--media', 'demo-media')).stdout);
    expect(
      new Set(jobs.map(({ kind, media_public_id: media }) => `${String(kind)} ${String(media)}`)),
    ).toEqual(new Set(['job demo-media']));
    const whole = (await exportAll('--media', 'demo-media', '--with-history')).stdout;
    expect(recordsOf(whole).filter(({ kind }) => kind === 'media')).toHaveLength(1);
    expect(recordsOf(whole).filter(({ kind }) => kind === 'history')).toEqual([
      expect.objectContaining({
        ...{
          record: 'job',
          public_id: 'acme-backend-engineer',
          version: 2,
          actor: 'jo',
          transport: 'import',
        },
        changes: [expect.objectContaining({ field: 'salary', after: 'new' })],
      }),
    ]);
    expect(await importFiles(['-'], whole)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^1 lines of history were skipped$/m),
    });
    expect((await exportAll('--kind', 'advert')).code).toBe(2);
    expect(await exportAll('--media', 'nowhere')).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/^There is no media nowhere\./m),
    });
  });

  describe('with --since', () => {
    const at = new Date(Date.now() - 3_600_000);
    const feed = { media: 'demo-media', now: new Date(), epoch: null };
    const cursor = (instant: Date, other: Partial<Feed> = {}) =>
      encodeCursor(cursorOf({ ...feed, ...other }, { at: instant, source: 'job', key: 'acme-data-analyst' }));
    const since = async (...argv: string[]) => {
      const { code, stdout } = await commandsOn(source.uri).exportAll('--since', ...argv);
      expect(code).toBe(0);
      return stdout === '' ? [] : recordsOf(stdout).map(nameOf);
    };
    const nameOf = ({ kind, public_id: id }: Record<string, unknown>) => `${String(kind)} ${String(id)}`;
    const changed = (ms: number) => ({ $set: { changedAt: new Date(at.getTime() + ms) } });

    it('writes each company and job of the media whole if it changed or expired since the cursor', async () => {
      const { jobs, companies } = models;
      await Promise.all([jobs, companies].map((each) => each.collection.updateMany({}, changed(-1))));
      await jobs.collection.updateMany(
        { state: 'published' },
        { $set: withEnd({ publishedAt: new Date() }) },
      );
      await jobs.collection.updateOne({ publicId: 'acme-office-manager' }, changed(0));
      await companies.collection.updateOne({ publicId: 'globex' }, changed(0));
      await jobs.collection.updateOne({ publicId: 'acme-backend-engineer' }, { $set: { expiresAt: at } });
      const expected = ['company globex', 'job acme-backend-engineer', 'job acme-office-manager'];
      expect(await since(cursor(at))).toEqual(expected);
      expect(await since(cursor(at), '--kind', 'company')).toEqual(expected.slice(0, 1));
      expect(await since(cursor(new Date(at.getTime() + 1)))).toEqual([]);
      const whole = (await commandsOn(source.uri).exportAll()).stdout.split('\n');
      const some = (await commandsOn(source.uri).exportAll('--since', cursor(at))).stdout.split('\n');
      expect(whole).toEqual(expect.arrayContaining(some));
    });

    it.each([
      ['expired', cursor(at, { now: new Date(Date.now() - 31 * 86_400_000) })],
      ['malformed', 'none'],
    ])('rejects a cursor that is %s (Contract 9.2.1)', async (_what, given) => {
      expect(await commandsOn(source.uri).exportAll('--since', given)).toEqual({
        code: 2,
        stdout: '',
        stderr: expect.stringMatching(
          /^--since must be an `after` of .*\. Leave it out to export everything\.\n$/m,
        ),
      });
    });

    it('rejects --media', async () => {
      expect(
        await commandsOn(source.uri).exportAll('--since', cursor(at), '--media', 'demo-media'),
      ).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/^The --since cursor already belongs to a media/),
      });
    });
  });

  it('writes the company of each job, even if the company has left the media (Contract 9.2.4)', async () => {
    await models.companies.updateOne(
      { publicId: 'acme' },
      { memberships: [{ media: 'other-media', isPublished: true, isVmePagePublished: false }] },
    );
    const { stdout: exported } = await commandsOn(source.uri).exportAll('--media', 'demo-media');
    const idsOf = (wanted: string) =>
      recordsOf(exported)
        .filter(({ kind }) => kind === wanted)
        .map(({ public_id: id }) => id);
    expect(idsOf('company')).toEqual(['acme', 'globex']);
    expect(idsOf('media')).toEqual(['demo-media', 'other-media']);
    expect(idsOf('job')).toContain('acme-backend-engineer');
    const { importFiles, exportAll } = commandsOn(target.uri);
    expect(await importFiles(['-'], exported)).toMatchObject({ code: 0 });
    expect((await exportAll('--media', 'demo-media')).stdout).toBe(exported);
  });

  it('finds the companies of the jobs in a covering index', async () => {
    const find = jest.spyOn(mongo.Collection.prototype, 'find');
    await commandsOn(source.uri).exportAll('--media', 'demo-media');
    const at = find.mock.contexts.findIndex((each) => (each as mongo.Collection).collectionName === 'jobs');
    const [filter, options] = find.mock.calls[at] as unknown as [object, mongo.FindOptions];
    find.mockRestore();
    const { _id, ...shown } = options.projection as Record<string, number>;
    expect(_id).toBe(0);
    const asked = [filter, shown, options.sort as object].flatMap(Object.keys);
    const held = indexesOf(models.jobs).map(({ key }) => Object.keys(key));
    expect(held).toContainEqual(expect.arrayContaining(asked));
  });

  it('writes each logo with its hash; an import rejects other bytes, and files without a hash that are not valid uploads', async () => {
    const { stdout } = await commandsOn(source.uri).exportAll('--kind', 'company');
    const acme = recordsOf(stdout).find(({ public_id: id }) => id === 'acme') ?? {};
    const { base64 } = acme.logo as { base64: string };
    const outcome = async (logo: object) =>
      commandsOn(source.uri).importFiles(['-'], JSON.stringify({ kind: 'company', public_id: 'acme', logo }));
    expect((await outcome({ sha256: hash, base64: Buffer.from('other').toString('base64') })).stderr).toMatch(
      /logo-format-error/,
    );
    expect((await outcome({ base64: Buffer.from('<svg/>').toString('base64') })).stderr).toMatch(
      /logo-format-error/,
    );
    const long = Buffer.concat([Buffer.from(base64, 'base64'), Buffer.alloc(5_242_880)]).toString('base64');
    expect((await outcome({ base64: long })).stderr).toMatch(/logo-format-error: .*at most 5 MiB/);
    expect((await outcome({ sha256: hash, base64 })).stdout).toMatch(/0 changed, 1 unchanged/);
    expect((await outcome({ base64 })).code).toBe(0);
  });

  it('writes a stored logo above the upload limit; an import accepts this logo only with its hash (Contract 9.2.4)', async () => {
    const bytes = swellingPng(512);
    const settings = { LOGO_MAX_SIZE: '64KiB' };
    const logo = await reencodeLogo({ bytes, ...anySize });
    // An older version stored larger logos.
    expect(logo.bytes.length).toBeGreaterThan(mostStoredBytes(65_536));
    await new LogoStore(source.connection, () => new Date()).put(logo);
    await models.companies.updateOne({ publicId: 'acme' }, { logo: { kind: 'file', hash: logo.hash } });
    const { stdout: exported } = await commandsOn(source.uri, settings).exportAll();
    const { importFiles, exportAll } = commandsOn(target.uri, settings);
    expect(await importFiles(['-'], exported)).toMatchObject({ code: 0 });
    expect((await exportAll()).stdout === exported).toBe(true);

    const embed = (base64: Buffer) =>
      importFiles(
        ['-'],
        JSON.stringify({ kind: 'company', public_id: 'acme', logo: { base64: base64.toString('base64') } }),
      );
    const padded = (length: number) => Buffer.concat([blackPng(8, 8)], length);
    expect(await embed(padded(65_536))).toMatchObject({ code: 0 });
    expect(await embed(bytes)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/logo-format-error: This image takes over 256 KiB when stored/),
    });
    expect(await embed(padded(65_537))).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/-:1: logo: logo-format-error: logo must be at most 64 KiB, unless/),
    });
  });

  const exportTo = (redirection: string, before = '') =>
    promisify(execFile)(
      'bash',
      ['--norc', '-c', `${before} "$NODE" dist/cli/export.js ${redirection}; echo "\${PIPESTATUS[0]}"`],
      {
        cwd: root,
        env: { PATH: process.env.PATH, NODE: process.execPath, NODE_ENV: 'test', MONGODB_URI: source.uri },
      },
    );

  (existsSync('/dev/full') ? it : it.skip)(
    'exits with 2 and the reason if it cannot write, and with 0 if the reader closes the pipe (Contract 9.2.1)',
    async () => {
      expect(await exportTo('> /dev/full')).toEqual({
        stdout: '2\n',
        stderr: expect.stringMatching(
          /^Standard output cannot be written: ENOSPC: no space left on device, write$/m,
        ),
      });
      expect(await exportTo('| true')).toEqual({ stdout: '0\n', stderr: expect.not.stringMatching(/EPIPE/) });
    },
  );

  it('exits with 2 and the reason if the output file is cut off (Contract 9.2.1)', async () => {
    const { stdout, stderr } = await exportTo(`> "${folder}/records.jsonl"`, 'ulimit -f 8;');
    expect([stdout, stderr]).toEqual([
      '2\n',
      expect.stringMatching(/^Standard output cannot be written: EFBIG/m),
    ]);
  });
});
