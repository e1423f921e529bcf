import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ReferenceKind } from '../../src/fields/reference-snapshot.js';
import { jobPostingOf, type PostedJob } from '../../src/job/job-posting.rules.js';
import { commandsOn, linesOf } from '../support/commands.js';
import { ownGateway } from '../support/own-gateway.js';
import { graphql, rest } from '../support/requests.js';
import { faultsOf, googleMisses } from './schema-org/check.js';
import { withEnd } from '../support/reset-records.js';
import { sample } from '../support/sample.js';

const publicId = 'acme-backend-engineer';
const ldJson = { accept: 'application/ld+json' };
/** Google recommends these properties, which apply only to remote jobs. */
const remoteAlone = ['applicantLocationRequirements', 'jobLocationType'];

describe('the posting of a job', () => {
  const gateway = ownGateway({ ARCHIVER: 'off', JOB_LIFETIME: '90d' });
  let token: string;
  beforeAll(async () => void (token = await gateway.token({ media: ['demo-media', 'other-media'] })));
  beforeEach(() => gateway.reset());

  const read = (headers: Record<string, string> = ldJson, by = token, path = `/jobs/${publicId}`) =>
    rest(gateway, 'GET', path, undefined, { token: by, headers });
  const store = (set: object, of = publicId) =>
    gateway.models.jobs.collection.updateOne({ publicId: of }, { $set: set });

  it('has the job’s data in schema.org terms (Contract 4.5.1, 4.5.2)', async () => {
    await store(withEnd({ publishedAt: new Date(Date.now() - 86_400_000) }));
    const { status, headers, body } = await read();
    expect([status, headers.get('content-type')]).toEqual([200, 'application/ld+json; charset=utf-8']);
    const job = await gateway.models.jobs.findOne({ publicId }).lean();
    const published = job?.publishedAt?.getTime() ?? NaN;
    const { companyDesc, jobDesc, profileDesc, benefitDesc, processDesc } = job!.description;
    expect(body).toEqual({
      '@context': 'https://schema.org/',
      '@type': 'JobPosting',
      title: 'Backend Engineer',
      description: [companyDesc, jobDesc, profileDesc, benefitDesc, processDesc].filter(Boolean).join('\n'),
      datePosted: new Date(published).toISOString(),
      validThrough: new Date(published + 90 * 86_400_000).toISOString(),
      identifier: { '@type': 'PropertyValue', name: 'demo-media', value: publicId },
      url: 'https://demo-media.example/companies/acme/jobs/acme-backend-engineer',
      directApply: true,
      hiringOrganization: {
        '@type': 'Organization',
        name: 'Acme',
        sameAs: 'https://acme.example',
        logo: expect.stringMatching(/^http:.*\/logos\/[\da-f]{64}$/),
      },
      jobLocation: {
        '@type': 'Place',
        address: {
          '@type': 'PostalAddress',
          streetAddress: '12 Rue de la République',
          addressLocality: 'Lyon',
          addressRegion: 'Auvergne-Rhône-Alpes',
          postalCode: '69002',
          addressCountry: 'FR',
        },
      },
      employmentType: ['FULL_TIME'],
      baseSalary: {
        '@type': 'MonetaryAmount',
        currency: 'EUR',
        value: { '@type': 'QuantitativeValue', minValue: 48000, maxValue: 58000, unitText: 'YEAR' },
      },
      educationRequirements: {
        '@type': 'EducationalOccupationalCredential',
        credentialCategory: 'postgraduate degree',
      },
      experienceRequirements: { '@type': 'OccupationalExperienceRequirements', monthsOfExperience: 36 },
    });
  });

  it('is valid for each published demo job, and lacks only properties without data (Contract 4.5.1)', async () => {
    const since = new Date(Date.now() - 90 * 86_400_000);
    const published = await gateway.models.jobs
      .find({ publishedAt: { $gt: since }, state: 'published' })
      .lean();
    const misses = await Promise.all(
      published.map(async (job) => {
        const { status, body } = await read(ldJson, token, `/jobs/${job.publicId}`);
        expect([job.publicId, status, faultsOf(body)]).toEqual([job.publicId, 200, []]);
        return [job.publicId, ...(await googleMisses(body))];
      }),
    );
    // acme-data-analyst has no pay range.
    expect(Object.fromEntries(misses.map(([id, ...missed]) => [id, missed]))).toEqual({
      'acme-backend-engineer': remoteAlone,
      'acme-data-analyst': ['baseSalary', ...remoteAlone].sort(),
      'initech-tester': [],
    });
  });

  it('omits the missing values of a job that has only a name (Contract 4.5.1)', async () => {
    const bare = { kind: 'job', public_id: 'bare', media_public_id: 'demo-media', company_public_id: 'acme' };
    const { importFiles } = commandsOn(gateway.settings.mongodbUri!);
    await importFiles(['-'], linesOf([{ ...bare, name: 'Bare', state: 'published' }]));
    const { body } = await read(ldJson, await gateway.token({ scope: 'r_jobs' }), '/jobs/bare');
    expect(Object.keys(body).sort()).toEqual([
      ...['@context', '@type', 'datePosted', 'directApply', 'hiringOrganization', 'identifier'],
      ...['title', 'url', 'validThrough'],
    ]);
    expect(faultsOf(body)).toEqual([]);
    expect(
      (await googleMisses(body)).filter((name) => ['description', 'jobLocation'].includes(name)),
    ).toEqual(['description', 'jobLocation']);
  });

  it('exists only for a job that is published now (Contract 4.5.1)', async () => {
    const query = `{ job(publicId: "${publicId}") { jobPosting } }`;
    const both = async () => {
      const { status, body } = await read();
      const { body: answer } = await graphql(gateway, query, {}, { token });
      return [status, body.error, answer.data];
    };
    const none = [404, 'job-not-found', { job: { jobPosting: null } }];
    for (const state of ['draft', 'archived']) {
      await store({ state });
      expect(await both()).toEqual(none);
    }
    await store({ state: 'published', ...withEnd({ publishedAt: new Date(Date.now() - 91 * 86_400_000) }) });
    expect(await both()).toEqual(none);
    expect((await read(ldJson, await gateway.token({ media: ['other-media'] }))).status).toBe(401);
  });

  it('has the company’s site and logo only for callers who may read the company (Contract 4.5.2)', async () => {
    await store({ media: 'demo-media' });
    const shown = async (claims: object) =>
      Object.keys((await read(ldJson, await gateway.token(claims))).body['hiringOrganization' as never]);
    const named = ['@type', 'name'];
    expect(await shown({})).toEqual([...named, 'sameAs', 'logo']);
    expect(await shown({ scope: 'r_jobs r_companies' })).toEqual([...named, 'sameAs', 'logo']);
    expect(await shown({ scope: 'r_w_jobs' })).toEqual(named);
  });

  it('is in the reply to a repeated call, with the site and logo only for callers who may read the company (Contract 4.5.2, 6.2.1)', async () => {
    const mutation = (
      fields: string,
    ) => `mutation { updateJob(input: { jobPublicId: "${publicId}", salary: "1" },
      idempotencyKey: "posting") { job { ${fields} } } }`;
    const posting = async (fields: string, by: string) => {
      const { body } = await graphql(gateway, mutation(fields), {}, { token: by });
      const { updateJob } = body.data as {
        updateJob: { job: { jobPosting?: { hiringOrganization: object } } };
      };
      return updateJob.job.jobPosting;
    };
    expect(await posting('version', token)).toBeUndefined();
    expect(await posting('jobPosting', token)).toEqual((await read()).body);
    const shown = await posting('jobPosting', await gateway.token({ scope: 'r_w_jobs' }));
    expect(shown?.hiringOrganization).toEqual({ '@type': 'Organization', name: 'Acme' });
  });

  it('says that no experience is required, and where a remote job can be done from (Contract 4.5.2)', async () => {
    const idOf = async (kind: ReferenceKind, schemaOrg: unknown) =>
      (await gateway.models.references.collection.findOneAndUpdate({ kind }, { $set: { schemaOrg } }))?._id;
    const remote = { remote: await idOf('remote', 'TELECOMMUTE'), experience: await idOf('experience', 0) };
    const posted = async (countryCode: string) => {
      await store({ ...remote, 'location.countryCode': countryCode });
      const { body } = await read({ ...ldJson, 'accept-language': 'fr' });
      const { experienceRequirements, applicantLocationRequirements } = body as Record<string, unknown>;
      return [experienceRequirements, applicantLocationRequirements];
    };
    await sleep(1_100);
    expect(await posted('DEU')).toEqual(['no requirements', { '@type': 'Country', name: 'Allemagne' }]);
    expect(await posted('')).toEqual(['no requirements', undefined]);
  });

  it('leaves out a site or logo whose URL contains an e-mail address (Contract 4.5.3)', async () => {
    const set = {
      domainUrl: 'https://acme.example/?contact=ann@mail.example',
      logo: { kind: 'url', url: 'https://acme.example/ann%40mail.example.png' },
    };
    await gateway.models.companies.collection.updateOne({ publicId: 'acme' }, { $set: set });
    expect((await read()).body['hiringOrganization' as never]).toEqual({
      '@type': 'Organization',
      name: 'Acme',
    });
  });

  it('is selected by the Accept header, and has another ETag than the job (Contract 4.5.4)', async () => {
    const [job, posting] = [await read({ accept: 'application/json' }), await read()];
    for (const { headers } of [job, posting]) expect(headers.get('vary')).toBe('accept, accept-language');
    const [ofJob, ofPosting] = [job, posting].map(({ headers }) => headers.get('etag') ?? '');
    expect([ofJob, ofPosting]).toEqual([
      expect.stringMatching(/^"1-/),
      expect.stringMatching(/^"[\w-]{16}"$/),
    ]);
    expect((await read({ ...ldJson, 'if-none-match': ofPosting! })).status).toBe(304);
    expect((await read({ ...ldJson, 'if-none-match': ofJob! })).status).toBe(200);
    const typeFor = async (accept: string) => (await read({ accept })).headers.get('content-type');
    for (const accept of ['*/*', 'application/*', 'text/html', 'application/ld+json;q=0.5, application/json'])
      expect(await typeFor(accept)).toBe('application/json; charset=utf-8');
    for (const accept of [
      'application/ld+json, */*;q=0.1',
      'application/json;q=0.9, application/ld+json',
      'application/ld+json; charset=utf-8',
      'application/ld+json;profile="http://www.w3.org/ns/json-ld#compacted"',
    ])
      expect(await typeFor(accept)).toBe('application/ld+json; charset=utf-8');
  });

  it('has no e-mail address or mailto link (Contract 4.5.3)', async () => {
    await store({
      name: 'Guard (ann@mail.example)',
      'description.jobDesc':
        '<p>To <a href="mailto:ann@mail.example?subject=Job" rel="nofollow noopener">Ann</a>, ann<b>@</b>mail.example ' +
        'or <a href="https://x.example/?to=ann%40mail.example" rel="nofollow noopener">here</a>, not @acme.</p>',
    });
    const { body } = await read();
    const { title, description } = body as { title?: string; description?: string };
    expect(title).toBe('Guard ()');
    expect(description).toContain(
      '<p>To Ann, <b></b> or <a href="https://x.example/?to=" rel="nofollow noopener">here</a>, not @acme.</p>',
    );
  });

  it.each([
    ['contract', 'FULL_TIME', 'full time'],
    ['worktime', 'PART_TIME', 3],
    ['remote', 'TELECOMMUTE', 'FULL_TIME'],
    ['education', 'bachelor degree', 'Bachelor'],
    ['experience', 600, 601],
    ['experience', 0, 'none'],
    ['sector', null, 'OTHER'],
  ])(
    'uses schema_org of a %s reference, which an import accepts as %j and rejects as %j (Contract 2.3.5)',
    async (type, good, bad) => {
      const { importFiles, exportAll } = commandsOn(gateway.settings.mongodbUri!);
      const line = { kind: 'reference', type, public_id: 'posted', name: { en: 'Posted', fr: 'Posté' } };
      const bringIn = (value: unknown) => importFiles(['-'], linesOf([{ ...line, schema_org: value }]));
      const refused = await bringIn(bad);
      expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('schema_org')]);
      expect((await bringIn(good)).code).toBe(0);
      const exported = async () => {
        const lines = (await exportAll()).stdout.split('\n');
        const found = lines.find((each) => each.includes('"posted"')) ?? '{}';
        return (JSON.parse(found) as { schema_org?: unknown }).schema_org;
      };
      expect(await exported()).toBe(good ?? undefined);
      await bringIn(null);
      expect(await exported()).toBeUndefined();
      await gateway.models.references.deleteOne({ publicId: 'posted' });
    },
  );
});

describe('500 postings of random jobs', () => {
  const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
  const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.emailAddress(), fc.constant('</script><b>'));
  const amount = fc.integer({ min: 0, max: 9_999_999_999 }).map((cents) => String(cents / 100));
  const reference = (schemaOrg: fc.Arbitrary<string | number>) =>
    maybe(
      fc.record({ id: fc.constant(''), publicId: fc.constant(''), name: text, schemaOrg: maybe(schemaOrg) }),
    );
  const instant = fc.date({ noInvalidDate: true, min: new Date(0), max: new Date('9999-01-01') });
  const employment = reference(fc.constantFrom('FULL_TIME', 'INTERN', 'PER_DIEM'));
  const anyJob = fc.record({
    name: text,
    publicId: fc.constant('job'),
    mediaPublicId: fc.constant('media'),
    company: fc.record({ publicId: fc.constant('company'), name: text }),
    employer: maybe(
      fc.record({
        domainUrl: maybe(fc.webUrl()),
        content: fc.record({ visual: fc.record({ logo: maybe(fc.webUrl()) }) }),
      }),
    ),
    state: fc.constant('published'),
    publishedAt: instant,
    expiresAt: instant,
    contract: employment,
    worktime: employment,
    remote: reference(fc.constant('TELECOMMUTE')),
    education: reference(fc.constantFrom('high school', 'bachelor degree')),
    experience: reference(fc.nat(600)),
    location: fc.record({
      ...{ addressNbr: maybe(text), address: maybe(text), city: text, administrativeAreaRegion: text },
      ...{ zipCode: text, countryCode: fc.constantFrom('', 'FRA', 'XKK', 'USA') },
      country: fc.constantFrom('', 'France'),
    }),
    salaryRange: maybe(
      fc.record({
        ...{ minimum: maybe(amount), maximum: maybe(amount) },
        ...{ currency: fc.constant('EUR'), period: fc.constantFrom('hour', 'day', 'week', 'month', 'year') },
      }),
    ),
    description: fc.record({
      ...{ companyDesc: maybe(text), jobDesc: maybe(text), profileDesc: maybe(text) },
      ...{ benefitDesc: maybe(text), processDesc: maybe(text) },
    }),
    jobUrl: fc.webUrl(),
    applicationMethod: fc.constantFrom('internal_apply', 'external_apply'),
  });

  const valuesIn = (value: unknown, name = ''): [string, unknown][] =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([key, below]) => valuesIn(below, key))
      : [[name, value]];

  it('are valid for schema.org, and contain no empty values or e-mail addresses (Contract 4.5.1, 4.5.3)', () => {
    fc.assert(
      fc.property(anyJob, fc.boolean(), (job, isCompanyShown) => {
        const posting = jobPostingOf(job as unknown as PostedJob, isCompanyShown);
        expect(faultsOf(posting)).toEqual([]);
        const isWrong = ([name, value]: [string, unknown]) =>
          value === '' || value === null || (name !== 'url' && /\w@[\w-]+\.\w/.test(`${value as string}`));
        expect(valuesIn(posting).filter(isWrong)).toEqual([]);
      }),
      sample(500),
    );
  });
});
