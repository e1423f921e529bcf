import { describe, expect, it } from '@jest/globals';
import { type operatorFields, type RecordKind } from '../../src/exchange/line-format.js';
import { emptyLocation } from '../../src/job/location/location.js';
import { animation, blackPng } from '../company/logo/test-images.js';
import { recordsOf } from '../support/commands.js';
import { company, faultsIn, job, lastLine, ownImport, update } from './import-lines.js';

const { models, importLines, exportAll, storedJob } = ownImport();
const animated = await animation(['ff0000', '00ff00'], 'webp');

describe('npm run import', () => {
  it('stores a change as a new version by the --actor, and nothing when run again (Contract 9.2.2)', async () => {
    const records = [
      update({ salary: ' 61 000 € ', description_job: 'Plain.', manager_emails: null }),
      { kind: 'company', public_id: 'acme', description: null },
      job('porter'),
    ];
    const first = await importLines(records, '--actor', 'jo');
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
    const second = await importLines(records, '--actor', 'jo');
    expect(second).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^0 inserted, 0 changed, 3 unchanged, 0 faulty$/m),
    });
    expect(await storedJob('acme-backend-engineer')).toEqual(stored);
  });

  it('applies what a call cannot do: any name, any state transition, jobs of an unpublished company (Contract 9.2.2)', async () => {
    const { code } = await importLines([
      job('at-globex', { company_public_id: 'globex', state: 'archived' }),
      update({ name: 'Renamed', state: 'draft', created_by: 'somebody' }),
    ]);
    expect(code).toBe(0);
    expect(await storedJob('at-globex')).toMatchObject({ company: 'globex', state: 'archived' });
    expect(await storedJob('acme-backend-engineer')).toMatchObject({
      ...{ name: 'Renamed', state: 'draft', createdBy: 'somebody', version: 2 },
    });
  });

  it('stores every key that only an operator may set, and an export writes it back (Contract 9.2.2, 9.2.4)', async () => {
    const name = { en: 'One', fr: 'Un' };
    const id = 'ab'.repeat(12);
    const inMedia = { media_public_id: 'demo-media', is_published: true, is_vme_page_published: true };
    // Only job categories have a parent, and they have no schema.org value.
    const ofOperators: {
      [Kind in RecordKind]: Record<Exclude<keyof (typeof operatorFields)[Kind], 'schema_org'>, unknown>;
    } = {
      media: { public_id: 'new', name: 'New', job_url_template: 'https://new.example/{job}' },
      reference: { type: 'job_category', public_id: 'new', id, name, parent_public_id: 'data', rank: 7 },
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
    expect(await importLines(lines)).toMatchObject({ code: 0 });
    const exported = recordsOf((await exportAll()).stdout);
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

  it('gives a new job without questions the default questions, and keeps the questions of a stored job (Contract 2.2.4)', async () => {
    const refs = async (publicId: string) => (await storedJob(publicId))?.questions.map(({ ref }) => ref);
    const usual = ['firstname', 'lastname', 'email', 'phone_number', 'comment', 'resume'];
    await importLines([job('usual'), job('none', { questions: [] })]);
    await importLines([job('none', { salary: '1' })]);
    expect([await refs('usual'), await refs('none')]).toEqual([usual, []]);
  });

  it('stores published_at, or else the current time, and archives a job past its lifetime', async () => {
    const recent = new Date(Date.now() - 3_600_000).toISOString();
    const before = new Date();
    await importLines([
      job('kept', { state: 'published', published_at: recent }),
      job('now', { state: 'published' }),
      job('old', { state: 'published', published_at: '2020-01-01T00:00:00Z' }),
    ]);
    expect(await storedJob('kept')).toMatchObject({ state: 'published', publishedAt: new Date(recent) });
    const now = await storedJob('now');
    expect(now?.state).toBe('published');
    expect(now?.publishedAt?.getTime()).toBeGreaterThanOrEqual(before.getTime());
    expect(await storedJob('old')).toMatchObject({ state: 'archived', publishedAt: new Date('2020-01-01') });
    const again = await importLines([
      job('now', { state: 'published' }),
      job('old', { state: 'published', published_at: '2020-01-01T00:00:00Z' }),
    ]);
    expect(again.stdout).toMatch(/0 changed, 2 unchanged/);
  });

  it('keeps the publication instant of a published job if published_at is null (Contract 9.2.2)', async () => {
    const stored = await storedJob('acme-backend-engineer');
    expect(stored).toMatchObject({ state: 'published', version: 1 });
    for (const given of [{ state: 'published', published_at: null }, { published_at: null }]) {
      expect((await importLines([update(given)])).stdout).toMatch(/0 changed, 1 unchanged/);
      expect(await storedJob('acme-backend-engineer')).toEqual(stored);
    }
    const before = Date.now();
    await importLines([update({ state: 'archived' })]);
    await importLines([update({ state: 'published', published_at: null })]);
    const again = await storedJob('acme-backend-engineer');
    expect(again).toMatchObject({ state: 'published', version: 3 });
    expect(again?.publishedAt?.getTime()).toBeGreaterThanOrEqual(before);
    await importLines([update({ state: 'draft', published_at: null })]);
    expect(await storedJob('acme-backend-engineer')).toMatchObject({ state: 'draft', publishedAt: null });
  });

  it('reads a date as published_at: the beginning of that day in UTC', async () => {
    const today = new Date().toISOString().slice(0, 10);
    const lines = [
      job('today', { state: 'published', published_at: today }),
      job('tomorrow', { state: 'published', published_at: '2099-01-01' }),
      job('never', { state: 'published', published_at: '2026-02-29' }),
    ];
    const { stderr } = await importLines(lines, '--on-fault', 'skip');
    expect(faultsIn(stderr)).toEqual(
      [2, 3].map((number) => `-:${number}: published_at: published_at-format-error`),
    );
    expect(await storedJob('today')).toMatchObject({ state: 'published', publishedAt: new Date(today) });
    expect((await importLines(lines.slice(0, 1))).stdout).toMatch('0 inserted, 0 changed, 1 unchanged');
  });

  it('rejects a future or invalid published_at, and accepts every RFC 3339 form (Contract 2.5.4)', async () => {
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
    const { code, stdout, stderr } = await importLines([...refused, ...accepted], '--on-fault', 'skip');
    expect([code, lastLine(stdout)]).toEqual([1, '4 inserted, 0 changed, 0 unchanged, 9 faulty']);
    expect(faultsIn(stderr)).toEqual(
      refused.map((_, index) => `-:${index + 1}: published_at: published_at-format-error`),
    );
    expect(await storedJob('accepted-0')).toMatchObject({
      publishedAt: new Date('2024-03-01T11:59:59.999Z'),
    });
    expect(await storedJob('accepted-3')).toMatchObject({
      publishedAt: new Date('2026-03-31T10:20:30.123Z'),
    });
  });

  it('ignores a null logo next to a logo_url; a null logo alone removes the logo', async () => {
    const url = 'https://acme.example/logo.png';
    const logo = async () => (await models.companies.findOne({ publicId: 'acme' }).lean())?.logo;
    for (const counts of [/0 inserted, 1 changed/, /0 changed, 1 unchanged/]) {
      const everyKey = { kind: 'company', public_id: 'acme', logo: null, logo_url: url };
      expect((await importLines([everyKey])).stdout).toMatch(counts);
      expect(await logo()).toEqual({ kind: 'url', url });
    }
    await importLines([{ kind: 'company', public_id: 'acme', logo: null }]);
    expect(await logo()).toBeNull();
  });

  it('lets companies share a page of a shared site (Contract 5.2.5)', async () => {
    const domain_url = 'https://www.facebook.com/acme';
    const lines = [
      company('acme', { domain_url }),
      company('one', { domain_url }),
      company('two', { domain_url }),
    ];
    expect((await importLines(lines)).stdout).toMatch(/^2 inserted, 1 changed/m);
    const companies = await models.companies.find({ domainUrl: domain_url }).lean();
    expect(companies).toHaveLength(3);
    for (const each of companies) expect(each).not.toHaveProperty('domainKey');
    expect((await importLines(lines)).stdout).toMatch(/^0 inserted, 0 changed, 3 unchanged/m);
  });

  it('clears with null what an update can clear, in stored and new records (Contract 5.1.6, 9.2.2)', async () => {
    const cleared = { domain_url: null, sector_id: null, size_id: null, logo_url: null };
    const fresh = { name: 'Fresh', media_public_id: 'demo-media' };
    const lines = [
      { kind: 'company', public_id: 'acme', ...cleared },
      { kind: 'company', public_id: 'fresh', ...fresh, ...cleared },
      update({ contract_id: null, application_url: null }),
      { kind: 'company', public_id: 'globex', name: null },
    ];
    const faulty = await importLines(lines);
    expect([faulty.code, faulty.stderr]).toEqual([1, expect.stringContaining('name-must-be-string')]);
    expect((await importLines(lines.slice(0, 3))).code).toBe(0);
    const companies = await models.companies.find({ publicId: { $in: ['acme', 'fresh'] } }).lean();
    expect(companies).toHaveLength(2);
    for (const company of companies) {
      expect(company).toMatchObject({ domainUrl: null, sectors: [], size: null, logo: null });
      expect(company).not.toHaveProperty('domainKey');
    }
    expect(await storedJob('acme-backend-engineer')).toMatchObject({ contract: null, applicationUrl: null });
    expect((await importLines(lines.slice(0, 3))).stdout).toMatch(/^0 inserted, 0 changed, 3 unchanged/m);
  });

  it('sets publication flags in the media of the line, or else in all media of the company, and rejects flags without a media', async () => {
    const memberships = async (publicId: string) =>
      (await models.companies.findOne({ publicId }).lean())?.memberships;
    await models.companies.updateOne({ publicId: 'initech' }, { memberships: [] });
    const { code, stdout, stderr } = await importLines(
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
    expect(faultsIn(stderr)).toEqual([
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
  ])('rejects %s (Contract 5.1.8, 9.2.2)', async (_what, records, faults) => {
    const { stderr } = await importLines(records);
    expect(faultsIn(stderr)).toEqual(
      faults.map((fault) => `-:${fault}: ${fault.replace(/^\d: /, '')}-format-error`),
    );
  });

  it('says what a public id may be (Contract 9.2.2)', async () => {
    expect((await importLines([job('..')])).stderr).toMatch(
      'public id of 1 to 150 characters, without spaces, control characters and ;, but not .',
    );
  });

  it('stores the location of a line instead of the place of its localisation (Contract 9.2.2)', async () => {
    await importLines([
      job('resolved', { localisation: 'Lyon, Rhône' }),
      job('said', { localisation: 'Lyon, Rhône', location: { city: 'Lyon 9e', country_code: 'FRA' } }),
    ]);
    expect(await storedJob('resolved')).toMatchObject({ location: { city: 'Lyon', department: 'Rhône' } });
    expect(await storedJob('said')).toMatchObject({
      localisation: 'Lyon, Rhône',
      location: { city: 'Lyon 9e', department: '', countryCode: 'FRA' },
    });
    expect((await importLines([job('bad', { location: { country_code: 'XXX' } })])).stderr).toMatch(
      /location-format-error/,
    );
  });

  it('stores null for an empty address or address_nbr, and an empty text for any other empty part (Contract 2.2.2)', async () => {
    await importLines([
      job('somewhere', { location: { city: 'Lyon', zip_code: '', address: '', address_nbr: ' ' } }),
    ]);
    expect((await storedJob('somewhere'))?.location).toEqual({ ...emptyLocation, city: 'Lyon' });
  });

  it('ignores a null location next to a localisation; a null location alone clears the location (Contract 9.2.2)', async () => {
    const everyKey = job('every-key', { localisation: 'Lyon', location: null });
    for (const counts of [/^1 inserted/m, /^0 inserted, 0 changed, 1 unchanged/m]) {
      expect((await importLines([everyKey])).stdout).toMatch(counts);
      expect(await storedJob('every-key')).toMatchObject({ location: { city: 'Lyon', countryCode: 'FRA' } });
    }
    for (const given of [{ localisation: 'Lyon', location: {} }, { location: null }]) {
      await importLines([everyKey]);
      await importLines([{ kind: 'job', public_id: 'every-key', ...given }]);
      expect(await storedJob('every-key')).toMatchObject({ localisation: 'Lyon', location: emptyLocation });
    }
  });

  it.each([
    [
      'by the key of its field in the file (Contract 7.5.1)',
      [job('cleaned', { description_job: '<p>Open the API</p><script>1</script>' })],
      'html-cleaned of description_job',
    ],
    [
      'of a location that names its country without the code (Contract 7.5.1, 9.2.2)',
      [
        job('named', { location: { city: 'Lyon', country: 'France' } }),
        job('coded', { location: { city: 'Lyon', country: 'France', country_code: 'FRA' } }),
        job('neither', { location: { city: 'Lyon', country: '', country_code: '' } }),
      ],
      'location-unresolved of location',
    ],
    [
      'that it keeps only the first frame of an animated logo (Contract 5.3.3)',
      [{ kind: 'company', public_id: 'acme', logo: { base64: animated.toString('base64') } }],
      'logo-animation-removed of logo',
    ],
  ])('warns %s', async (_what, records, warning) => {
    const { code, stdout } = await importLines(records);
    expect([code, stdout.split('\n')]).toEqual([0, expect.arrayContaining([`${warning}: 1 line, -:1`])]);
  });
});
