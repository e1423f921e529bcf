import { afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { open, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { mongo, Types } from 'mongoose';
import { type operatorFields, type RecordKind } from '../../src/exchange/line-format.js';
import { readRecords } from '../../src/exchange/input/input-file.js';
import { emptyLocation } from '../../src/job/location/location.js';
import { animation, blackPng } from '../company/logo/test-images.js';
import { commandsOn, linesOf, recordsOf } from '../support/commands.js';
import { openTestDatabase } from '../support/database.js';
import { ownDatabase } from '../support/own-database.js';
import { importable, root } from '../support/process.js';
import { resetRecords } from '../support/reset-records.js';
import { ownFolders } from '../support/own-folder.js';

const { database, models } = ownDatabase();
const newFolder = ownFolders();
let folder: string;
let commands: ReturnType<typeof commandsOn>;

beforeAll(() => {
  commands = commandsOn(database.uri);
});
beforeEach(async () => {
  await resetRecords(models);
  folder = newFolder();
});

const job = (publicId: string, given: object = {}) => ({
  ...{ kind: 'job', public_id: publicId, media_public_id: 'demo-media', company_public_id: 'acme' },
  name: 'Porter',
  ...given,
});
const company = (publicId: string, given: object = {}) => ({
  ...{ kind: 'company', public_id: publicId, name: publicId, ...given },
});
const category = (publicId: string, given: object = {}) => ({
  ...{ kind: 'reference', type: 'job_category', public_id: publicId },
  name: { en: publicId, fr: publicId },
  ...given,
});
const update = (given: object) => ({ kind: 'job', public_id: 'acme-backend-engineer', ...given });
const bringIn = (records: readonly object[], ...options: string[]) =>
  commands.importFiles([...options, '-'], linesOf(records));
const animated = await animation(['ff0000', '00ff00'], 'webp');
const storedJob = (publicId: string) => models.jobs.findOne({ publicId }).lean();
const lastLine = (text: string) => text.trimEnd().split('\n').at(-1);
/** The reported faults, without their messages. */
const reports = (stderr: string) =>
  [...stderr.matchAll(/^(\S+:\d+: \S+: \S+): /gm)].map(([, report = '']) => report).sort();

describe('npm run import', () => {
  it('reports each fault with file, line, field and code, and writes nothing (Contract 12.3.3, 12.3.4)', async () => {
    const records = Array.from({ length: 1_000 }, (_, index) =>
      job(`porter-${index}`, index % 25 === 0 ? { salary: 'x'.repeat(31) } : {}),
    );
    const path = join(folder, 'jobs.jsonl');
    await writeFile(path, linesOf(records));
    const { code, stdout, stderr } = await commands.importFiles([path]);
    expect(code).toBe(1);
    expect(reports(stderr)).toEqual(
      Array.from({ length: 40 }, (_, index) => `${path}:${index * 25 + 1}: salary: salary-too-long`).sort(),
    );
    expect(lastLine(stdout)).toBe('0 inserted, 0 changed, 0 unchanged, 40 faulty');
    expect(await models.jobs.countDocuments({ publicId: /^porter-/ })).toBe(0);

    const skipping = await commands.importFiles(['--on-fault', 'skip', path]);
    expect(skipping.code).toBe(1);
    expect(reports(skipping.stderr)).toHaveLength(40);
    expect(lastLine(skipping.stdout)).toBe('960 inserted, 0 changed, 0 unchanged, 40 faulty');
    expect(await models.jobs.countDocuments({ publicId: /^porter-/ })).toBe(960);
  });

  it('reports a code for an unreadable line, an unknown kind, a duplicate and a missing key (Contract 12.3.3)', async () => {
    const { code, stderr, stdout } = await commands.importFiles(
      ['-'],
      [
        'no JSON',
        '[]',
        '{"kind":"advert","public_id":"x"}',
        '{"public_id":"x"}',
        '{"kind":"job"}',
        JSON.stringify(
          job('new', { company_public_id: 'nobody', media_public_id: 'nowhere', office_id: 'x' }),
        ),
        JSON.stringify(job('new')),
        '',
        JSON.stringify(update({ contract_id: 'forever', salary: 5, questions: [{ ref: 'x' }] })),
        JSON.stringify(
          job('acme-office-manager', { salary: ['1k'], manager_emails: 5, recruiter_emails: ['a', 5] }),
        ),
        JSON.stringify({ kind: 'job', public_id: 'lacking' }),
        JSON.stringify({ kind: 'company', public_id: 'other', name: 'ACME' }),
        JSON.stringify({ kind: 'reference', type: 'contract', public_id: 'mine', parent_public_id: 'x' }),
        '{"kind":"job","public_id":"strange","constructor":"x","__proto__":"x"}',
      ].join('\n'),
    );
    expect(code).toBe(1);
    expect(stdout).toMatch('unknown-field of constructor: 1 line, -:14');
    expect(reports(stderr)).toEqual(
      [
        '-:1: body: body-format-error',
        '-:2: body: body-format-error',
        '-:3: kind: kind-format-error',
        '-:4: kind: missing-kind',
        '-:5: public_id: missing-public_id',
        ...['name', 'media_public_id', 'company_public_id'].map((field) => `-:5: ${field}: missing-${field}`),
        '-:6: company_public_id: company_public_id-not-found',
        '-:6: media_public_id: media_public_id-not-found',
        '-:6: office_id: office_id-not-found',
        '-:7: public_id: public_id-format-error',
        '-:9: contract_id: contract_id-not-found',
        '-:9: salary: salary-must-be-string',
        '-:9: questions: questions-format-error',
        '-:10: salary: salary-must-be-string',
        ...['manager_emails', 'recruiter_emails'].map(
          (field) => `-:10: ${field}: ${field}-must-be-array-of-strings`,
        ),
        ...['name', 'media_public_id', 'company_public_id'].map(
          (field) => `-:11: ${field}: missing-${field}`,
        ),
        '-:12: name: company-already-existed',
        '-:13: name: missing-name',
        '-:13: parent_public_id: parent_public_id-format-error',
        ...['name', 'media_public_id', 'company_public_id'].map(
          (field) => `-:14: ${field}: missing-${field}`,
        ),
      ].sort(),
    );
  });

  it('shortens an unknown key in its warning, and escapes control characters (Contract 12.3.3, 8.6.8)', async () => {
    const forged = '\u001b[2J\u009b1m\n-:9: ok\u2028\u202e';
    const shown = '\uFFFD[2J\uFFFD1m\uFFFD-:9: ok\uFFFD\uFFFD';
    const jobs = ['acme-backend-engineer', 'acme-office-manager', 'acme-night-guard'];
    const records = [forged, 'k'.repeat(100_000), 'constructor'].map((key, index) => ({
      ...{ kind: 'job', public_id: jobs[index], [key]: 'x', location: { [key]: 'x' } },
    }));
    const { stdout, stderr } = await bringIn(records);
    for (const [index, key] of [shown, `${'k'.repeat(40)}…`, 'constructor'].entries()) {
      expect(stderr).toContain(
        `-:${index + 1}: location: location-format-error: location must be an object without ${key}.\n`,
      );
      expect(stdout).toContain(`unknown-field of ${key}: 1 line, -:${index + 1}\n`);
    }
  });

  it('names the unknown sectors of a list, and escapes control characters (Contract 4.1.4.2, 12.3.3)', async () => {
    const company = { kind: 'company', public_id: 'acme', sector_id: 'nothing;health;\u001b[2J' };
    const { stderr } = await bringIn([company]);
    expect(stderr).toContain(
      'sector_id-not-found: This field does not match any record: nothing, \uFFFD[2J.\n',
    );
  });

  it('stores a change as a new version by the --actor, and nothing when run again (Contract 12.3.5)', async () => {
    const records = [
      update({ salary: ' 61 000 € ', description_job: 'Plain.', manager_emails: null }),
      { kind: 'company', public_id: 'acme', description: null },
      job('porter'),
    ];
    const first = await bringIn(records, '--actor', 'jo');
    expect(first).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^1 inserted, 2 changed, 0 unchanged, 0 faulty$/m),
    });
    const stored = await storedJob('acme-backend-engineer');
    expect(stored).toMatchObject({
      salary: '61 000 €',
      description: { jobDesc: '<p>Plain.</p>' },
      managerEmails: [],
      version: 2,
      pendingHistory: [
        {
          ...{ version: 2, actor: 'jo', transport: 'import' },
          changes: expect.arrayContaining([expect.objectContaining({ field: 'salary', after: '61 000 €' })]),
        },
      ],
    });
    const second = await bringIn(records, '--actor', 'jo');
    expect(second).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^0 inserted, 0 changed, 3 unchanged, 0 faulty$/m),
    });
    expect(await storedJob('acme-backend-engineer')).toEqual(stored);
  });

  it('applies what a call cannot do: any name, any state transition, jobs of an unpublished company (Contract 12.3.2)', async () => {
    const { code } = await bringIn([
      job('at-globex', { company_public_id: 'globex', state: 'archived' }),
      update({ name: 'Renamed', state: 'draft', created_by: 'somebody' }),
    ]);
    expect(code).toBe(0);
    expect(await storedJob('at-globex')).toMatchObject({ company: 'globex', state: 'archived' });
    expect(await storedJob('acme-backend-engineer')).toMatchObject({
      ...{ name: 'Renamed', state: 'draft', createdBy: 'somebody', version: 2 },
    });
  });

  it('stores every key that only an operator may set, and an export writes it back (Contract 12.3.2, 12.4.2)', async () => {
    const name = { en: 'One', fr: 'Un' };
    const id = 'ab'.repeat(12);
    const inMedia = { media_public_id: 'demo-media', is_published: true, is_vme_page_published: true };
    // Only job categories have a parent, and they have no schema.org value.
    const ofOperators: {
      [Kind in RecordKind]: Record<Exclude<keyof (typeof operatorFields)[Kind], 'schema_org'>, unknown>;
    } = {
      media: { public_id: 'new', name: 'New', job_url_template: 'https://new.example/{job}' },
      reference: { type: 'job_category', public_id: 'new', id, name, parent_public_id: 'data' },
      company: {
        ...{ public_id: 'new', id, brand: 'new', language: 'en', created_by: 'somebody' },
        memberships: [inMedia],
        ...inMedia,
        offices: [{ id, public_id: 'here', name }],
        logo: { base64: blackPng(8, 8).toString('base64') },
      },
      job: {
        ...{ public_id: 'new', media_public_id: 'demo-media', company_public_id: 'new' },
        ...{ published_at: '2026-01-02T03:04:05.678Z', office_id: 'here', created_by: 'somebody' },
        location: {
          ...{ address_nbr: '1', address: 'Rue', city: 'Ville', zip_code: '69001' },
          ...{ administrative_area_department: 'Rhône', administrative_area_region: 'Région' },
          ...{ country_code: 'FRA', country: 'France' },
        },
        questions: [
          {
            _id: id,
            name: 'N',
            ref: 'n',
            ref_type: 'url',
            title: name,
            placeholder: name,
            is_required: true,
          },
        ],
      },
    };
    const lines = Object.entries(ofOperators).map(([kind, given]) => ({ kind, name: 'New', ...given }));
    expect(await bringIn(lines)).toMatchObject({ code: 0 });
    const exported = recordsOf((await commands.exportAll()).stdout);
    const written = exported.filter(({ public_id: publicId }) => publicId === 'new');
    // The export writes `inMedia` in the memberships. The import re-encoded the logo, which had no hash.
    const company = Object.entries(ofOperators.company).filter(([key]) => !(key in inMedia));
    expect(written).toMatchObject([
      ofOperators.media,
      ofOperators.reference,
      { ...Object.fromEntries(company), logo: { sha256: expect.any(String), base64: expect.any(String) } },
      ofOperators.job,
    ]);
  });

  it('gives a new job without questions the default questions, and keeps the questions of a stored job (Contract 2.2.5)', async () => {
    const refs = async (publicId: string) => (await storedJob(publicId))?.questions.map(({ ref }) => ref);
    const usual = ['firstname', 'lastname', 'email', 'phone_number', 'comment', 'resume'];
    await bringIn([job('usual'), job('none', { questions: [] })]);
    await bringIn([job('none', { salary: '1' })]);
    expect([await refs('usual'), await refs('none')]).toEqual([usual, []]);
  });

  it('stores published_at, or else the current time, and archives a job past its lifetime (Contract 12.3.6)', async () => {
    const recent = new Date(Date.now() - 3_600_000).toISOString();
    const before = new Date();
    await bringIn([
      job('kept', { state: 'published', published_at: recent }),
      job('now', { state: 'published' }),
      job('old', { state: 'published', published_at: '2020-01-01T00:00:00Z' }),
    ]);
    expect(await storedJob('kept')).toMatchObject({ state: 'published', publishedAt: new Date(recent) });
    const now = await storedJob('now');
    expect(now?.state).toBe('published');
    expect(now?.publishedAt?.getTime()).toBeGreaterThanOrEqual(before.getTime());
    expect(await storedJob('old')).toMatchObject({ state: 'archived', publishedAt: new Date('2020-01-01') });
    const again = await bringIn([
      job('now', { state: 'published' }),
      job('old', { state: 'published', published_at: '2020-01-01T00:00:00Z' }),
    ]);
    expect(again.stdout).toMatch(/0 changed, 2 unchanged/);
  });

  it('keeps the publication instant of a published job if published_at is null (Contract 12.3.6, 12.3.5)', async () => {
    const stored = await storedJob('acme-backend-engineer');
    expect(stored).toMatchObject({ state: 'published', version: 1 });
    for (const given of [{ state: 'published', published_at: null }, { published_at: null }]) {
      expect((await bringIn([update(given)])).stdout).toMatch(/0 changed, 1 unchanged/);
      expect(await storedJob('acme-backend-engineer')).toEqual(stored);
    }
    const before = Date.now();
    await bringIn([update({ state: 'archived' })]);
    await bringIn([update({ state: 'published', published_at: null })]);
    const again = await storedJob('acme-backend-engineer');
    expect(again).toMatchObject({ state: 'published', version: 3 });
    expect(again?.publishedAt?.getTime()).toBeGreaterThanOrEqual(before);
    await bringIn([update({ state: 'draft', published_at: null })]);
    expect(await storedJob('acme-backend-engineer')).toMatchObject({ state: 'draft', publishedAt: null });
  });

  it('reads a date as published_at: the beginning of that day in UTC (Contract 12.3.6)', async () => {
    const today = new Date().toISOString().slice(0, 10);
    const lines = [
      job('today', { state: 'published', published_at: today }),
      job('tomorrow', { state: 'published', published_at: '2099-01-01' }),
      job('never', { state: 'published', published_at: '2026-02-29' }),
    ];
    const { stderr } = await bringIn(lines, '--on-fault', 'skip');
    expect(reports(stderr)).toEqual(
      [2, 3].map((number) => `-:${number}: published_at: published_at-format-error`),
    );
    expect(await storedJob('today')).toMatchObject({ state: 'published', publishedAt: new Date(today) });
    expect((await bringIn(lines.slice(0, 1))).stdout).toMatch('0 inserted, 0 changed, 1 unchanged');
  });

  it('rejects a future or invalid published_at, and accepts every RFC 3339 form (Contract 12.3.6, 8.1)', async () => {
    const fromNow = (ms: number) => new Date(Date.now() + ms).toISOString();
    const refused = [
      '2099-01-01T00:00:00Z',
      fromNow(60_000),
      '2026-02-29T10:00:00Z',
      '2026-02-31T10:00:00Z',
      '2026-11-31T24:00:00+23:59',
      '2025-12-31T24:00:00Z',
      '0000-01-01T00:00:00Z',
      '0001-01-01T00:00:00+01:00',
      '2026-01-01T10:60:00Z',
    ].map((at, index) => job(`refused-${index}`, { state: 'published', published_at: at }));
    const accepted = [
      '2024-02-29T23:59:59.999-12:00',
      '0001-01-01T00:00Z',
      fromNow(2_000),
      '2026-03-31t10:20:30.123999z',
    ].map((at, index) => job(`accepted-${index}`, { state: 'published', published_at: at }));
    const { code, stdout, stderr } = await bringIn([...refused, ...accepted], '--on-fault', 'skip');
    expect([code, lastLine(stdout)]).toEqual([1, '4 inserted, 0 changed, 0 unchanged, 9 faulty']);
    expect(reports(stderr)).toEqual(
      refused.map((_, index) => `-:${index + 1}: published_at: published_at-format-error`),
    );
    expect(await storedJob('accepted-0')).toMatchObject({
      publishedAt: new Date('2024-03-01T11:59:59.999Z'),
    });
    expect(await storedJob('accepted-3')).toMatchObject({
      publishedAt: new Date('2026-03-31T10:20:30.123Z'),
    });
  });

  it('ignores a null logo next to a logo_url; a null logo alone removes the logo (Contract 12.3.8)', async () => {
    const url = 'https://acme.example/logo.png';
    const logo = async () => (await models.companies.findOne({ publicId: 'acme' }).lean())?.logo;
    for (const counts of [/0 inserted, 1 changed/, /0 changed, 1 unchanged/]) {
      const everyKey = { kind: 'company', public_id: 'acme', logo: null, logo_url: url };
      expect((await bringIn([everyKey])).stdout).toMatch(counts);
      expect(await logo()).toEqual({ kind: 'url', url });
    }
    await bringIn([{ kind: 'company', public_id: 'acme', logo: null }]);
    expect(await logo()).toBeNull();
  });

  it('lets companies share a page of a shared site (Contract 4.1.6.6)', async () => {
    const domain_url = 'https://www.facebook.com/acme';
    const lines = [
      company('acme', { domain_url }),
      company('one', { domain_url }),
      company('two', { domain_url }),
    ];
    expect((await bringIn(lines)).stdout).toMatch(/^2 inserted, 1 changed/m);
    const companies = await models.companies.find({ domainUrl: domain_url }).lean();
    expect(companies).toHaveLength(3);
    for (const each of companies) expect(each).not.toHaveProperty('domainKey');
    expect((await bringIn(lines)).stdout).toMatch(/^0 inserted, 0 changed, 3 unchanged/m);
  });

  it('clears with null what an update can clear, in stored and new records (Contract 12.3.2, 4.3.3.2)', async () => {
    const cleared = { domain_url: null, sector_id: null, size_id: null, logo_url: null };
    const fresh = { name: 'Fresh', media_public_id: 'demo-media' };
    const lines = [
      { kind: 'company', public_id: 'acme', ...cleared },
      { kind: 'company', public_id: 'fresh', ...fresh, ...cleared },
      update({ contract_id: null, application_url: null }),
      { kind: 'company', public_id: 'globex', name: null },
    ];
    const faulty = await bringIn(lines);
    expect([faulty.code, faulty.stderr]).toEqual([1, expect.stringContaining('name-must-be-string')]);
    expect((await bringIn(lines.slice(0, 3))).code).toBe(0);
    const companies = await models.companies.find({ publicId: { $in: ['acme', 'fresh'] } }).lean();
    expect(companies).toHaveLength(2);
    for (const company of companies) {
      expect(company).toMatchObject({ domainUrl: null, sectors: [], size: null, logo: null });
      expect(company).not.toHaveProperty('domainKey');
    }
    expect(await storedJob('acme-backend-engineer')).toMatchObject({ contract: null, applicationUrl: null });
    expect((await bringIn(lines.slice(0, 3))).stdout).toMatch(/^0 inserted, 0 changed, 3 unchanged/m);
  });

  it('sets publication flags in the media of the line, or else in all media of the company, and rejects flags without a media (Contract 12.3.11)', async () => {
    const memberships = async (publicId: string) =>
      (await models.companies.findOne({ publicId }).lean())?.memberships;
    await models.companies.updateOne({ publicId: 'initech' }, { memberships: [] });
    const { code, stdout, stderr } = await bringIn(
      [
        { kind: 'company', public_id: 'hooli', name: 'Hooli', is_published: true },
        { kind: 'company', public_id: 'umbrella', name: 'Umbrella', memberships: [], is_published: false },
        { kind: 'company', public_id: 'initech', is_vme_page_published: true },
        { kind: 'company', public_id: 'new', name: 'New', media_public_id: 'a b', is_published: true },
        { kind: 'company', public_id: 'bare', name: 'Bare' },
        { kind: 'company', public_id: 'globex', is_published: true },
        { kind: 'company', public_id: 'acme', media_public_id: 'other-media', is_published: true },
      ],
      '--on-fault',
      'skip',
    );
    expect([code, lastLine(stdout)]).toEqual([1, '1 inserted, 2 changed, 0 unchanged, 4 faulty']);
    expect(reports(stderr)).toEqual([
      ...[1, 2, 3].map((line) => `-:${line}: media_public_id: missing-media_public_id`),
      '-:4: media_public_id: media_public_id-format-error',
    ]);
    expect(await memberships('bare')).toEqual([]);
    expect(await memberships('globex')).toEqual([
      { media: 'demo-media', isPublished: true, isVmePagePublished: false },
    ]);
    expect(await memberships('acme')).toEqual([
      { media: 'demo-media', isPublished: true, isVmePagePublished: true },
      { media: 'other-media', isPublished: true, isVmePagePublished: false },
    ]);
    // Even a membership that the line does not name has its keys in this order.
    for (const membership of (await memberships('acme')) ?? [])
      expect(Object.keys(membership)).toEqual(['media', 'isPublished', 'isVmePagePublished']);
  });

  it('names the unknown media in a list with semicolons, and reads a list with commas as one public id (Contract 12.3.3)', async () => {
    const company = { kind: 'company', public_id: 'hooli', name: 'Hooli' };
    const { stderr } = await bringIn([
      { ...company, media_public_id: 'demo-media;nope;other-media' },
      { ...company, public_id: 'comma', name: 'Comma', media_public_id: 'demo-media,other-media' },
    ]);
    expect(stderr).toMatch(
      /^-:1: media_public_id: media_public_id-not-found: .* no media nope in the database /m,
    );
    expect(stderr).toMatch(/^-:2: .* no media demo-media,other-media in the database/m);
  });

  it('rejects a line that refers to the record of a faulty line, also in a dry run (Contract 12.3.4)', async () => {
    const id = 'a'.repeat(24);
    const records = [
      category('grandchild', { parent_public_id: 'child' }),
      category('child', { parent_public_id: 'nameless' }),
      category('nameless', { name: undefined }),
      category('first', { id }),
      category('second', { id }),
      category('below-second', { parent_public_id: 'second' }),
      category('below-first', { parent_public_id: 'first' }),
      { kind: 'media', public_id: 'template-less', name: 'Template-less' },
      company('in-faulty-media', { media_public_id: 'template-less' }),
      company('of-faulty-sector', { sector_id: 'unread' }),
      company('bad', { name: 'Shared', language: 'xx', offices: [] }),
      company('good', { name: 'Shared', domain_url: 'shared.example' }),
      job('at-bad', { company_public_id: 'bad' }),
      job('at-faulty-media', { media_public_id: 'template-less' }),
      job('in-grandchild', { job_category_id: 'grandchild' }),
      job('in-below-first', { job_category_id: 'below-first', company_public_id: 'good' }),
    ];
    const faults = [
      '-:10: sector_id: sector_id-not-found',
      '-:11: language: language-format-error',
      '-:13: company_public_id: company_public_id-not-found',
      '-:14: media_public_id: media_public_id-not-found',
      '-:15: job_category_id: job_category_id-not-found',
      '-:1: parent_public_id: parent_public_id-not-found',
      '-:2: parent_public_id: parent_public_id-not-found',
      '-:3: name: missing-name',
      '-:5: id: id-format-error',
      '-:6: parent_public_id: parent_public_id-not-found',
      '-:8: job_url_template: missing-job_url_template',
      '-:9: media_public_id: media_public_id-not-found',
    ];
    const dry = await bringIn(records, '--on-fault', 'skip', '--dry-run');
    expect([reports(dry.stderr), lastLine(dry.stdout)]).toEqual([
      faults,
      '4 inserted, 0 changed, 0 unchanged, 12 faulty',
    ]);
    const written = await bringIn(records, '--on-fault', 'skip');
    expect([reports(written.stderr), lastLine(written.stdout)]).toEqual([
      faults,
      '4 inserted, 0 changed, 0 unchanged, 12 faulty',
    ]);
    const stored = await models.references.find({ kind: 'job_category' }).lean();
    const publicIds = new Set(stored.map(({ publicId }) => publicId));
    expect(stored.filter(({ parent }) => parent !== null && !publicIds.has(parent))).toEqual([]);
    expect(publicIds.has('below-first')).toBe(true);
  });

  it('rejects a category cycle of lines and stored records (Contract 12.3.3)', async () => {
    const under = (publicId: string, parent?: string | null) =>
      category(publicId, { parent_public_id: parent });
    const refused = await bringIn([
      under('own', 'own'),
      ...[under('y', 'z'), under('z', 'y'), under('below', 'y')],
    ]);
    expect(reports(refused.stderr)).toEqual([
      ...[1, 2, 3].map((line) => `-:${line}: parent_public_id: parent_public_id-format-error`),
      '-:4: parent_public_id: parent_public_id-not-found',
    ]);
    expect((await bringIn([under('top'), under('middle', 'top'), under('low', 'middle')])).code).toBe(0);
    expect(reports((await bringIn([under('top', 'low')])).stderr)).toEqual([
      '-:1: parent_public_id: parent_public_id-format-error',
    ]);
    expect((await bringIn([under('top', 'low'), under('low', null), under('middle')])).code).toBe(0);
    // A faulty line changes nothing, so `top` stays below `low`.
    const records = [{ ...under('top', null), id: 'x' }, under('low', 'top')];
    expect(reports((await bringIn(records, '--on-fault', 'skip')).stderr)).toEqual([
      '-:1: id: id-format-error',
      '-:2: parent_public_id: parent_public_id-format-error',
    ]);
  });

  it('reports the name of a company in an earlier batch, even on a line with other faults and in a dry run (Contract 12.3.4)', async () => {
    // A batch of a thousand lines is written while the next batch is checked.
    const first = Array.from({ length: 1_000 }, (_, index) => company(`co-${index}`));
    const records = [...first, company('late', { name: 'co-999', size_id: 'absent' })];
    const faults = ['-:1001: name: company-already-existed', '-:1001: size_id: size_id-not-found'];
    const insertMany = Reflect.get(
      mongo.Collection.prototype,
      'insertMany',
    ) as mongo.Collection['insertMany'];
    const slowly = jest.spyOn(mongo.Collection.prototype, 'insertMany');
    slowly.mockImplementation(async function (this: mongo.Collection, ...given) {
      await sleep(500);
      return insertMany.apply(this, given);
    });
    for (const options of [['--dry-run'], []])
      expect(reports((await bringIn(records, '--on-fault', 'skip', ...options)).stderr)).toEqual(faults);
    slowly.mockRestore();
  });

  const half = 'a\uD800';
  const broken = { en: 'Ly\von', fr: 'Lyon' };
  it.each<[string, object[], string[]]>([
    [
      'the public ids . and ..',
      [
        ...['.', ' .. '].map((id) => job(id)),
        { kind: 'company', public_id: 'dots', name: 'Dots', media_public_id: 'demo-media;..' },
        ...['...', '.a', 'a..'].map((id) => job(id)),
      ],
      ['1: public_id', '2: public_id', '3: media_public_id'],
    ],
    [
      'a public id with half a surrogate pair',
      [
        { kind: 'media', public_id: half, name: 'Half', job_url_template: 'https://half.example/{job}' },
        { kind: 'company', public_id: half, name: 'Half' },
        { kind: 'company', public_id: 'branded', name: 'Branded', brand: half },
        job(half),
        job('whole-\u{1F600}'),
      ],
      ['1: public_id', '2: public_id', '3: brand', '4: public_id'],
    ],
    [
      'control characters in every text, as an update does',
      [
        { kind: 'media', public_id: 'm', name: 'M\u0000\f', job_url_template: 'https://m.example/{job}' },
        { kind: 'reference', type: 'contract', public_id: 'mine', name: broken },
        { kind: 'company', public_id: 'acme', offices: [{ public_id: 'lyon', name: broken }] },
        update({ localisation: 'Ly\von', created_by: 'a\u001bb', location: { city: 'Ly\fon' } }),
        job('broken-lines', { name: 'Night\nporter', location: { address: '1 rue A\r\nB\tC' } }),
      ],
      ['1: name', '2: name', '3: offices', '4: created_by', '4: localisation', '4: location'],
    ],
  ])('rejects %s (Contract 12.3.2, 4.3.3.5)', async (_what, records, faults) => {
    const { stderr } = await bringIn(records);
    expect(reports(stderr)).toEqual(
      faults.map((fault) => `-:${fault}: ${fault.replace(/^\d: /, '')}-format-error`),
    );
  });

  it('says what a public id may be (Contract 12.3.2)', async () => {
    expect((await bringIn([job('..')])).stderr).toMatch(
      'public id of 1 to 150 characters, without spaces, control characters and ;, but not .',
    );
  });

  it('rejects duplicate offices, questions or memberships in a line, and names the second (Contract 12.3.3)', async () => {
    const name = { en: 'x', fr: 'x' };
    const id = 'a'.repeat(24);
    const question = (ref: string, given: object = {}) => ({
      ...{ name: ref, ref, ref_type: 'string', title: name, is_required: true, ...given },
    });
    const company = (given: object) => ({ kind: 'company', public_id: 'acme', ...given });
    const refused: [object, string, string][] = [
      [
        company({ offices: ['a', 'b', 'a'].map((office) => ({ public_id: office, name })) }),
        'offices',
        '[2].public_id',
      ],
      [
        company({ offices: ['a', 'b'].map((office) => ({ public_id: office, name, id })) }),
        'offices',
        '[1].id',
      ],
      [
        company({
          memberships: [true, false].map((isPublished) => ({
            ...{ media_public_id: 'demo-media', is_published: isPublished },
          })),
        }),
        ...(['memberships', '[1].media_public_id'] as const),
      ],
      [update({ questions: [question('a'), question('a')] }), 'questions', '[1].ref'],
      [
        update({ questions: [question('a', { _id: id }), question('b', { _id: id })] }),
        'questions',
        '[1]._id',
      ],
    ];
    for (const [record, field, place] of refused)
      expect((await bringIn([record])).stderr).toMatch(
        `-:1: ${field}: ${field}-format-error: ${field} must be valid: ${place} must be unique in the list.\n`,
      );
    const several = update({ questions: [question('a'), question('b')] });
    expect((await bringIn([several])).stdout).toMatch(/^0 inserted, 1 changed/m);
    expect((await bringIn([several])).stdout).toMatch(/0 changed, 1 unchanged/);
  });

  it('gives two offices or questions different ids, even if the line sets the stored id of one on the other (Contract 12.3.3)', async () => {
    const name = { en: 'x', fr: 'x' };
    const id = 'a'.repeat(24);
    const offices = (...given: object[]) => ({
      ...{ kind: 'company', public_id: 'acme', offices: given.map((office) => ({ name, ...office })) },
    });
    const questions = (...given: object[]) =>
      update({
        questions: given.map((question) => ({
          ...{ name: 'x', ref_type: 'string', title: name, is_required: true, ...question },
        })),
      });
    const idsOf = async () => {
      const company = await models.companies.findOne({ publicId: 'acme' }).lean();
      const stored = await storedJob('acme-backend-engineer');
      return [company?.offices, stored?.questions].map((list) => list?.map(({ _id }) => String(_id)));
    };
    const both = [
      offices({ id, public_id: 'lyon' }, { public_id: 'paris' }),
      questions({ _id: id, ref: 'lyon' }, { ref: 'paris' }),
    ];
    await bringIn([offices({ id, public_id: 'paris' }), questions({ _id: id, ref: 'paris' })]);
    expect(await idsOf()).toEqual([[id], [id]]);
    await bringIn(both);
    const ids = await idsOf();
    for (const list of ids) expect(list).toEqual([id, expect.not.stringMatching(id)]);
    // The same keys in another order would count as a change.
    const acme = await models.companies.findOne({ publicId: 'acme' }).lean();
    expect(acme?.offices.map((office) => Object.keys(office))).toEqual([
      ['_id', 'publicId', 'name'],
      ['_id', 'publicId', 'name'],
    ]);
    expect((await bringIn(both)).stdout).toMatch(/0 changed, 2 unchanged/);

    // Another program can give two offices the same id.
    const one = ['lyon', 'paris'].map((publicId) => ({ _id: new Types.ObjectId(id), publicId, name }));
    await models.companies.updateOne({ publicId: 'acme' }, { offices: one });
    await bringIn([offices({ public_id: 'lyon' }, { public_id: 'paris' })]);
    expect((await idsOf())[0]).toEqual([id, expect.not.stringMatching(id)]);
  });

  it('stores the location of a line instead of the place of its localisation (Contract 12.3.2)', async () => {
    await bringIn([
      job('resolved', { localisation: 'Lyon, Rhône' }),
      job('said', { localisation: 'Lyon, Rhône', location: { city: 'Lyon 9e', country_code: 'FRA' } }),
    ]);
    expect(await storedJob('resolved')).toMatchObject({ location: { city: 'Lyon', department: 'Rhône' } });
    expect(await storedJob('said')).toMatchObject({
      localisation: 'Lyon, Rhône',
      location: { city: 'Lyon 9e', department: '', countryCode: 'FRA' },
    });
    expect((await bringIn([job('bad', { location: { country_code: 'XXX' } })])).stderr).toMatch(
      /location-format-error/,
    );
  });

  it('stores null for an empty address or address_nbr, and an empty text for any other empty part (Contract 2.2.2)', async () => {
    await bringIn([
      job('somewhere', { location: { city: 'Lyon', zip_code: '', address: '', address_nbr: ' ' } }),
    ]);
    expect((await storedJob('somewhere'))?.location).toEqual({ ...emptyLocation, city: 'Lyon' });
  });

  it('ignores a null location next to a localisation; a null location alone clears the location (Contract 12.3.2)', async () => {
    const everyKey = job('every-key', { localisation: 'Lyon', location: null });
    for (const counts of [/^1 inserted/m, /^0 inserted, 0 changed, 1 unchanged/m]) {
      expect((await bringIn([everyKey])).stdout).toMatch(counts);
      expect(await storedJob('every-key')).toMatchObject({ location: { city: 'Lyon', countryCode: 'FRA' } });
    }
    for (const given of [{ localisation: 'Lyon', location: {} }, { location: null }]) {
      await bringIn([everyKey]);
      await bringIn([{ kind: 'job', public_id: 'every-key', ...given }]);
      expect(await storedJob('every-key')).toMatchObject({ localisation: 'Lyon', location: emptyLocation });
    }
  });

  it('writes nothing in a dry run, and reports what it would change (Contract 12.3.4)', async () => {
    const before = await commands.exportAll('--with-history');
    const { code, stdout } = await bringIn(
      [
        job('of-new', { company_public_id: 'new', media_public_id: 'fresh' }),
        { kind: 'company', public_id: 'new', name: 'New', memberships: [{ media_public_id: 'fresh' }] },
        { kind: 'media', public_id: 'fresh', name: 'Fresh', job_url_template: 'https://fresh.example/{job}' },
        update({ salary: 'other' }),
      ],
      '--dry-run',
    );
    expect(code).toBe(0);
    expect(lastLine(stdout)).toBe('3 inserted, 1 changed, 0 unchanged, 0 faulty');
    expect((await commands.exportAll('--with-history')).stdout).toBe(before.stdout);
    // By default, one faulty line prevents all writes.
    const mixed = [job('good'), update({ salary: 'other' }), { kind: 'nothing' }];
    for (const rest of [['--dry-run'], []])
      expect(lastLine((await bringIn(mixed, ...rest)).stdout)).toBe(
        '0 inserted, 0 changed, 0 unchanged, 1 faulty',
      );
  });

  it('reports each name or id that an earlier line has, even in a dry run (Contract 12.3.3, 12.3.9)', async () => {
    const id = '65f2c0ffee0000000000e001';
    const records = [
      { kind: 'company', public_id: 'first', id, name: 'Brought', domain_url: 'brought.example' },
      {
        kind: 'company',
        public_id: 'second',
        id,
        name: 'brought',
        domain_url: 'www.brought.example',
        size_id: 'no',
      },
    ];
    const faults = [
      '-:2: domain_url: company-already-existed',
      '-:2: id: id-format-error',
      '-:2: name: company-already-existed',
      '-:2: size_id: size_id-not-found',
    ];
    for (const rest of [['--dry-run'], []]) {
      const { stdout, stderr } = await bringIn(records, '--on-fault', 'skip', ...rest);
      expect([lastLine(stdout), reports(stderr)]).toEqual([
        '1 inserted, 0 changed, 0 unchanged, 1 faulty',
        faults,
      ]);
    }
  });

  it('does not store the format of the records in a dry run (Contract 11.11, 12.3.4)', async () => {
    const empty = await openTestDatabase();
    const line = { kind: 'media', public_id: 'm', name: 'M', job_url_template: 'https://m.example/{job}' };
    const { code } = await commandsOn(empty.uri).importFiles(['--dry-run', '-'], linesOf([line]));
    expect([code, await empty.connection.collection('formats').countDocuments()]).toEqual([0, 0]);
    await empty.close();
  });

  it('reads gzip, and CSV with lists separated by ";" (Contract 12.3.1)', async () => {
    const zipped = join(folder, 'jobs.jsonl.gz');
    await writeFile(zipped, gzipSync(linesOf([job('zipped')])));
    expect((await commands.importFiles([zipped])).stdout).toMatch(/^1 inserted/m);
    const csv = join(folder, 'jobs.csv');
    await writeFile(
      csv,
      '\uFEFFpublic_id,media_public_id,company_public_id,name,recruiter_emails,salary,location\r\n' +
        'sheet,demo-media,acme,"Porter, night",a@acme.example;b@acme.example,,"{""city"":""Lyon""}"\r\n' +
        'short,demo-media\r\n' +
        'long,demo-media,acme,Porter,,0123456789012345678901234567890,\r\n',
    );
    const { code, stdout, stderr } = await commands.importFiles(['--kind', 'job', '--on-fault', 'skip', csv]);
    expect([code, lastLine(stdout)]).toEqual([1, '1 inserted, 0 changed, 0 unchanged, 2 faulty']);
    expect(reports(stderr)).toEqual([
      `${csv}:3: body: body-format-error`,
      `${csv}:4: salary: salary-too-long`,
    ]);
    expect(await storedJob('sheet')).toMatchObject({
      ...{ name: 'Porter, night', recruiterEmails: ['a@acme.example', 'b@acme.example'], salary: null },
      location: { city: 'Lyon' },
    });
    const companies =
      'public_id,name,media_public_id,is_published\nhooli,Hooli,demo-media;other-media,true\n';
    expect((await commands.importFiles(['--kind', 'company', '-'], companies)).code).toBe(0);
    expect(await models.companies.findOne({ publicId: 'hooli' }).lean()).toMatchObject({
      memberships: [
        { media: 'demo-media', isPublished: true, isVmePagePublished: false },
        { media: 'other-media', isPublished: true, isVmePagePublished: false },
      ],
    });
  });

  it('keeps the stored value if a CSV cell is empty (Contract 12.3.1)', async () => {
    const before = await storedJob('acme-backend-engineer');
    const csv = 'public_id,salary,localisation,manager_emails\nacme-backend-engineer,, ,\n';
    const { stdout } = await commands.importFiles(['--kind', 'job', '-'], csv);
    expect(lastLine(stdout)).toBe('0 inserted, 0 changed, 1 unchanged, 0 faulty');
    expect(await storedJob('acme-backend-engineer')).toEqual(before);
  });

  it('counts CSV lines by line feeds, even with carriage returns in a cell (Contract 12.3.3)', async () => {
    const csv = join(folder, 'returns.csv');
    const long = `"x\ry\r\nz\n${'x'.repeat(31)}"`;
    for (const end of ['\n', '\r\n']) {
      await writeFile(csv, ['public_id,salary', `a,${long}`, `b,${long}`, '\r', `c,${long}`].join(end) + end);
      const { stderr } = await commands.importFiles(['--kind', 'job', csv]);
      const lines = (await readFile(csv, 'utf8')).split('\n');
      expect(reports(stderr).filter((report) => report.includes('salary'))).toEqual(
        ['a', 'b', 'c'].map(
          (id) => `${csv}:${lines.findIndex((line) => line.startsWith(id)) + 1}: salary: salary-too-long`,
        ),
      );
    }
  });

  it('accepts the character U+FFFD in CSV, as in JSON Lines (Contract 12.3.3)', async () => {
    const path = join(folder, 'replaced.csv');
    const read = async (csv: string | Buffer) => {
      await writeFile(path, csv);
      return commands.importFiles(['--kind', 'job', path]);
    };
    const csv = '\uFEFF"public_id","salary"\nacme-backend-engineer,"1 \uFFFD\u00a0€"\n\u00a0,\n';
    expect((await read(csv)).stdout).toMatch(/^0 inserted, 1 changed, 0 unchanged, 0 faulty$/m);
    expect(await storedJob('acme-backend-engineer')).toMatchObject({ salary: '1 \uFFFD\u00a0€' });
    const utf16 = Buffer.from('\uFEFFpublic_id,salary\nacme-backend-engineer,2\n', 'utf16le');
    expect((await read(utf16)).stderr).toMatch(/:1: body: body-format-error: .* in UTF-8\./);
  });

  it('rejects CSV with two columns of the same name, and a line whose kind differs from --kind (Contract 12.3.3)', async () => {
    const read = (csv: string) => commands.importFiles(['--kind', 'job', '--on-fault', 'skip', '-'], csv);
    const doubled = await read('public_id,salary,,salary ,\nacme-backend-engineer,1,,2,\n');
    expect([lastLine(doubled.stdout), doubled.stderr]).toEqual([
      '0 inserted, 0 changed, 0 unchanged, 1 faulty',
      expect.stringMatching(
        '-:1: body: body-format-error: The line must name each column once. The rest of the file',
      ),
    ]);
    const other = await read(
      'kind,public_id,salary,,\ncompany,acme-office-manager,1,,\njob,acme-backend-engineer,1,,\n,acme-night-guard,1,,\n',
    );
    expect([lastLine(other.stdout), reports(other.stderr)]).toEqual([
      '0 inserted, 2 changed, 0 unchanged, 1 faulty',
      ['-:2: kind: kind-format-error'],
    ]);
  });

  it.each([
    ['bars between the cells', 'public_id|salary\nacme-backend-engineer|1\n'],
    ['the column names of another program', 'Job ID,Salary\nacme-backend-engineer,1\nacme-night-guard,1\n'],
    ['no column names', 'acme-backend-engineer,1\nacme-night-guard,1\n'],
  ])(
    'says what the first CSV line must name, and reports no other line, if the CSV has %s (Contract 12.3.3)',
    async (_, csv) => {
      const { code, stderr } = await commands.importFiles(['--kind', 'job', '-'], csv);
      expect([code, reports(stderr)]).toEqual([1, ['-:1: body: body-format-error']]);
      expect(stderr).toMatch(
        'The line must name the columns, public_id among them, separated by commas, semicolons or tabs. The rest of the file',
      );
    },
  );

  it.each([',', ';', '\t'])(
    'separates CSV cells by %j if the first line does (Contract 12.3.1)',
    async (between) => {
      const csv = [
        ['"note;,\t"', 'public_id', 'salary', 'recruiter_emails'],
        ['', 'acme-backend-engineer', '"1, 2;\t3"', '"a@acme.example;b@acme.example"'],
      ];
      // A blank line and separators inside quotes do not count.
      const text = '\uFEFF\r\n' + csv.map((cells) => cells.join(between) + '\r\n').join('');
      const { stdout, stderr } = await commands.importFiles(['--kind', 'job', '-'], text);
      expect([lastLine(stdout), reports(stderr)]).toEqual([
        '0 inserted, 1 changed, 0 unchanged, 0 faulty',
        [],
      ]);
      expect(await storedJob('acme-backend-engineer')).toMatchObject({
        salary: '1, 2;\t3',
        recruiterEmails: ['a@acme.example', 'b@acme.example'],
      });
    },
  );

  it('accepts booleans in any case in CSV, as spreadsheets and scripts write them (Contract 12.3.1)', async () => {
    const read = async (cell: string) => {
      const csv = `public_id,name,media_public_id,is_published\nsheets,TRUE,demo-media,${cell}\n`;
      const { stderr } = await commands.importFiles(['--kind', 'company', '-'], csv);
      const stored = await models.companies.findOne({ publicId: 'sheets' }).lean();
      return [stored?.name, stored?.memberships[0]?.isPublished, reports(stderr)];
    };
    expect(await read('TRUE')).toEqual(['TRUE', true, []]);
    expect(await read('FALSE')).toEqual(['TRUE', false, []]);
    expect(await read('True')).toEqual(['TRUE', true, []]);
    expect(await read('fAlse')).toEqual(['TRUE', false, []]);
    expect(await read('VRAI')).toEqual(['TRUE', false, ['-:2: is_published: is_published-format-error']]);
  });

  it.each([
    [';', 'sep=;\npublic_id;salary\nacme-backend-engineer;"1, 2"\n'],
    ['|', '\uFEFFSEP=|\r\npublic_id|salary\r\nacme-backend-engineer|1, 2\r\n'],
    [';', '"sep=;"\n\n"public_id";"salary"\nacme-backend-engineer;1, 2\n'],
    [',', 'sep=,\npublic_id,salary\nacme-backend-engineer,"1, 2"\n'],
  ])('reads CSV with the separator %s that its first line names (Contract 12.3.1)', async (_, csv) => {
    const { stderr, code } = await commands.importFiles(['--kind', 'job', '-'], `${csv}x`);
    const number = csv.split('\n').length;
    expect([code, reports(stderr)]).toEqual([1, [`-:${number}: body: body-format-error`]]);
    await commands.importFiles(['--kind', 'job', '-'], csv);
    expect(await storedJob('acme-backend-engineer')).toMatchObject({ salary: '1, 2' });
  });

  it('reports a wrong number of cells in a CSV line, and where a line stops being JSON (Contract 12.3.3)', async () => {
    const short = await commands.importFiles(['--kind', 'job', '-'], 'public_id,,salary\na,"b\nc"\n');
    expect(short.stderr).toMatch(
      '-:2: body: body-format-error: The line must have 3 cells like the first line, not 2.',
    );
    const text = '{"kind": "job"}\n[]\n\n{"kind": "job", public_id: "a"}\n{"kind": "job",\r\n{"kind": "job"';
    const { stderr } = await commands.importFiles(['-'], text);
    const told = stderr
      .match(/^-:\d+: body: .* with a logo\..*$/gm)
      ?.map((line) => line.replace(/: .* with a logo\./, ':'));
    expect(told).toEqual([
      '-:2:',
      '-:4: It is not JSON from character 17 on.',
      '-:5: It is not JSON from character 17 on.',
      '-:6: It is not JSON from character 15 on.',
    ]);
  });

  it('reports each line with too many values or levels, and imports the valid lines (Contract 12.3.3, 12.3.4)', async () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    const values = (count: number) => `[${'1,'.repeat(count - 1)}1]`;
    const line = (id: string, note: string) => JSON.stringify(job(id)).replace(/}$/, `,"note":${note}}\n`);
    const text = [
      line('within', `["${'[{,\\\\\\"'.repeat(30_000)}",${nested(30)},${values(90_000)}]`),
      line('deep', nested(5_000)),
      line('deeper', `{"a":${nested(31)}}`),
      line('wide', values(100_000)),
      line('unclosed', '['.repeat(2_000_000)),
      line('good', '1'),
    ];
    const { code, stdout, stderr } = await commands.importFiles(['--on-fault', 'skip', '-'], text.join(''));
    expect(reports(stderr)).toEqual([2, 3, 4, 5].map((number) => `-:${number}: body: body-format-error`));
    expect([code, lastLine(stdout)]).toEqual([1, '2 inserted, 0 changed, 0 unchanged, 4 faulty']);

    const csv = `public_id,questions,salary\nwithin,${nested(5_000)},\ngood,,"${'['.repeat(30)}"\n`;
    const read = await commands.importFiles(['--kind', 'job', '--on-fault', 'skip', '-'], csv);
    expect(reports(read.stderr)).toEqual(['-:2: body: body-format-error']);
    expect(lastLine(read.stdout)).toBe('0 inserted, 1 changed, 0 unchanged, 1 faulty');
  });

  it('reads a line over 16 MiB only if its logo is that long (Contract 12.3.3, 12.3.8)', async () => {
    const bytes = randomBytes(13 * 2 ** 20);
    const base64 = bytes.toString('base64');
    const name = join(folder, 'long.jsonl');
    const note = `,"note":"${base64}"`;
    const company = { kind: 'company', public_id: 'é"€', logo: { base64, sha256: 'x' } };
    const lines = [
      JSON.stringify(company),
      JSON.stringify(job('long')).replace(/}$/, `${note}}`),
      JSON.stringify(company).replace(/}$/, `${note}}`),
      '{"kind":"job"}',
    ];
    await writeFile(name, lines.join('\n'));
    const handle = await open(name);
    const records = [];
    for await (const some of readRecords({ name, handle, bytes: 0, csvKind: undefined }, () => undefined))
      records.push(...some);
    await handle.close();
    const [first, ...others] = records;
    const { logo, ...rest } = first!.values as { logo: { base64: Buffer; sha256: string } };
    expect(logo.base64.equals(bytes)).toBe(true);
    expect([rest, logo.sha256]).toEqual([{ kind: 'company', public_id: 'é"€' }, 'x']);
    const problem = expect.stringMatching(/ 16 MiB, or 112 MiB with a logo\.$/);
    expect(others).toEqual([
      { number: 2, given: null, problem },
      { number: 3, given: null, problem },
      { number: 4, given: { kind: 'job' }, length: 14 },
    ]);
  });

  it('reports an unnamed CSV column with a value by its number (Contract 12.3.3)', async () => {
    const csv = 'public_id,,\nacme-backend-engineer,,\nacme-night-guard,,note\n';
    const { stdout } = await commands.importFiles(['--kind', 'job', '-'], csv);
    expect(stdout).toMatch(/^unknown-field of column 3: 1 line, -:3$/m);
  });

  it('rejects a CSV line that is not UTF-8, and reads the other lines (Contract 12.3.3, 4.3.5)', async () => {
    const csv = join(folder, 'latin.csv');
    const text =
      'public_id,media_public_id,company_public_id,name\n' +
      'before,demo-media,acme,Porter\n' +
      'latin,demo-media,acme,"D\u00e9veloppeur,\nsenior"\n' +
      'after,demo-media,acme,Porter\n';
    await writeFile(csv, text, 'latin1');
    const { code, stdout, stderr } = await commands.importFiles(['--kind', 'job', '--on-fault', 'skip', csv]);
    expect([code, lastLine(stdout)]).toEqual([1, '2 inserted, 0 changed, 0 unchanged, 1 faulty']);
    expect(stderr).toMatch(`${csv}:3: body: body-format-error: The line must be in UTF-8.\n`);
    expect(await storedJob('latin')).toBeNull();
    expect(await storedJob('after')).not.toBeNull();

    await writeFile(csv, text.replace('name', 'nam\u00e9'), 'latin1');
    const headless = await commands.importFiles(['--kind', 'job', '--on-fault', 'skip', csv]);
    expect(lastLine(headless.stdout)).toBe('0 inserted, 0 changed, 0 unchanged, 1 faulty');
    expect(headless.stderr).toMatch(
      `${csv}:1: body: body-format-error: The line must be in UTF-8. The rest of the file was not read.\n`,
    );
  });

  it.each([
    ['a quote that is not doubled', '"a"b'],
    ['a quote inside an unquoted cell', 'a"b"'],
    ['a quoted cell that does not end', '"a'],
  ])('stops reading CSV after %s (Contract 12.3.3, 12.3.4)', async (_, name) => {
    const csv = join(folder, 'broken.csv');
    await writeFile(
      csv,
      'public_id,media_public_id,company_public_id,name\r\n' +
        '"before","demo-media","acme","Night\r\n""porter"""\r\n' +
        `broken,demo-media,acme,${name}\r\n` +
        'hidden,demo-media,acme,Porter\r\n' +
        '","\r\n',
    );
    const { code, stdout, stderr } = await commands.importFiles([
      ...['--kind', 'job', '--on-fault', 'skip'],
      csv,
    ]);
    expect([code, lastLine(stdout)]).toEqual([1, '1 inserted, 0 changed, 0 unchanged, 1 faulty']);
    expect(reports(stderr)).toEqual([`${csv}:4: body: body-format-error`]);
    expect(stderr).toMatch(/The rest of the file was not read\.$/m);
    expect(await storedJob('before')).toMatchObject({ name: 'Night\r\n"porter"' });
    expect(await storedJob('hidden')).toBeNull();
  });

  it.each([
    [
      'by the key of its field in the file (Contract 7.5.1, 12.3.1)',
      [job('cleaned', { description_job: '<div>Open the API</div>' })],
      'html-cleaned of description_job',
    ],
    [
      'of a location that names its country without the code (Contract 7.5.1, 12.3.2)',
      [
        job('named', { location: { city: 'Lyon', country: 'France' } }),
        job('coded', { location: { city: 'Lyon', country: 'France', country_code: 'FRA' } }),
        job('neither', { location: { city: 'Lyon', country: '', country_code: '' } }),
      ],
      'location-unresolved of location',
    ],
    [
      'that it keeps only the first frame of an animated logo (Contract 4.1.7.4, 12.3.8)',
      [{ kind: 'company', public_id: 'acme', logo: { base64: animated.toString('base64') } }],
      'logo-animation-removed of logo',
    ],
  ])('warns %s', async (_what, records, warning) => {
    const { code, stdout } = await bringIn(records);
    expect([code, stdout.split('\n')]).toEqual([0, expect.arrayContaining([`${warning}: 1 line, -:1`])]);
  });

  it('counts at most a hundred kinds of warnings (Contract 7.5.1)', async () => {
    const unknown = Array.from({ length: 150 }, (_, index) => [`key${index}`, 1] as const);
    const { code, stdout } = await bringIn([update(Object.fromEntries(unknown)), job('new', { key0: 1 })]);
    expect(code).toBe(0);
    expect(stdout.match(/^unknown-field of key\d+: 1 line, -:1$/gm)).toHaveLength(99);
    expect(stdout).toMatch(/^unknown-field of key0: 2 lines, the first -:1$/m);
  });

  describe('with a concurrent writer', () => {
    afterEach(() => void jest.restoreAllMocks());

    it('tries a line 25 times if another writer always changes the record first, then exits with 2 (Contract 12.3.5, 12.3.7)', async () => {
      // eslint-disable-next-line @typescript-eslint/unbound-method -- it is called on the collection below
      const { bulkWrite } = mongo.Collection.prototype;
      const writing = jest.spyOn(mongo.Collection.prototype, 'bulkWrite');
      writing.mockImplementation(async function (this: mongo.Collection, ...given) {
        await models.jobs.collection.updateOne(
          { publicId: 'acme-backend-engineer' },
          { $inc: { version: 1 } },
        );
        return bulkWrite.apply(this, given);
      });
      const { code, stdout, stderr } = await bringIn([update({ salary: 'new' })]);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toMatch(/Other writers keep changing the same records: run the import again\.$/m);
      expect(writing).toHaveBeenCalledTimes(25);
      expect(await storedJob('acme-backend-engineer')).toMatchObject({ version: 26, pendingHistory: [] });
    });
  });

  it('exits with 2 if the write of a batch fails while the next batch is read (Contract 12.3.7)', async () => {
    const refusing = join(folder, 'refusing.mjs');
    await writeFile(
      refusing,
      `import { Collection } from ${importable(join(root, 'node_modules/mongodb/lib/index.js'))};
      Collection.prototype.bulkWrite = async () => { throw new Error('refused'); };`,
    );
    const path = join(folder, 'jobs.jsonl');
    await writeFile(path, linesOf(Array.from({ length: 1_001 }, (_, index) => job(`porter-${index}`))));
    const child = spawn(process.execPath, ['--import', refusing, join(root, 'dist/cli/import.js'), path], {
      env: { ...process.env, NODE_OPTIONS: '', MONGODB_URI: database.uri },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const [stderr, ended] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    expect(ended).toEqual([2, null]);
    expect(stderr).toMatch(/^refused$/m);
  });

  it.each(['SIGINT', 'SIGKILL'] as const)(
    'leaves no copy of standard input in the temporary folder after %s (Contract 12.3.10)',
    async (signal) => {
      const child = spawn(process.execPath, [join(root, 'dist/cli/import.js'), '-'], {
        env: { ...process.env, NODE_OPTIONS: '', MONGODB_URI: database.uri, TMPDIR: folder },
        stdio: ['pipe', 'ignore', 'ignore'],
      });
      const ended = once(child, 'exit');
      // A pipe holds less than 4 MiB: once this text is written, the command has read most of it.
      await new Promise((written) => child.stdin.write(' '.repeat(4 * 1_048_576), written));
      expect(await readdir(folder)).toEqual([]);
      child.kill(signal);
      expect(await ended).toEqual([null, signal]);
      expect(await readdir(folder)).toEqual([]);
    },
  );

  it('exits with 2 and one sentence if it cannot run (Contract 12.3.7)', async () => {
    const outcome = async (...argv: string[]) => {
      const { code, stdout, stderr } = await commands.importFiles(argv);
      expect([code, stdout]).toEqual([2, '']);
      return stderr;
    };
    expect(await outcome()).toMatch(/^Name a file, or - for standard input\.\n\nUsage:/);
    expect(await outcome('--on-fault', 'ignore', '-')).toMatch(/stop or skip, not "ignore"/);
    expect(await outcome(join(folder, 'absent.jsonl'))).toMatch(/absent\.jsonl cannot be read: ENOENT/);
    expect(await outcome(join(folder, 'jobs.csv'))).toMatch(/jobs\.csv is CSV: add --kind job/);
    expect(await outcome(folder)).toMatch(/ is not a file\.\n$/);
    const broken = join(folder, 'broken.jsonl.gz');
    await writeFile(broken, gzipSync(linesOf([job('zipped')])).subarray(0, 40));
    expect(await outcome(broken)).toMatch(/broken\.jsonl\.gz cannot be read: unexpected end of file/);
    const away = await commandsOn('mongodb://127.0.0.1:1/gateway').importFiles(['-']);
    expect(away).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/ECONNREFUSED.*: start MongoDB there/),
    });
    expect((await commands.importFiles(['--help'])).stdout).toMatch(/^Usage: npm run --silent import/);
  });
});
