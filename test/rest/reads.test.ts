import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { documentedName } from '../../src/errors/documented-name.js';
import { partsOf } from '../../src/fields/fields.rules.js';
import { jobFields } from '../../src/job/job-fields.rules.js';
import { ownGateway } from '../support/own-gateway.js';
import { graphql, rest } from '../support/requests.js';
import { withEnd } from '../support/reset-records.js';

const gateway = ownGateway();
let token: string;
beforeAll(async () => void (token = await gateway.token()));
beforeEach(() => gateway.reset());

const job = '/jobs/acme-backend-engineer';
const company = '/companies?media-public-id=demo-media&company-public-id=acme';
const references = '/references/contract';
const paths = [job, company, references];
const named = { media_public_id: 'demo-media', company_public_id: 'acme' };

const read = (path: string, headers: Record<string, string> = {}, method = 'GET', by = token) =>
  rest(gateway, method, path, undefined, { token: by, headers });
const tagOf = async (path: string, headers: Record<string, string> = {}) =>
  (await read(path, headers)).headers.get('etag') ?? '';

describe('GET /jobs/{job_public_id}', () => {
  it('ignores spaces around the id, as updates do (Contract 4.4.5)', async () => {
    expect((await read('/jobs/%20acme-backend-engineer%20')).body).toEqual((await read(job)).body);
    const asked = `{ job(publicId: " acme-backend-engineer") { company { publicId } }
      jobs(mediaPublicId: "demo-media ", filter: { companyPublicIds: [" acme "] }, first: 1) { edges { node { publicId } } }
      company(mediaPublicId: " demo-media", publicId: "acme ") { publicId } }`;
    const { body } = await graphql(gateway, asked, {}, { token });
    expect(body).toMatchObject({
      data: {
        job: { company: { publicId: 'acme' } },
        jobs: { edges: [{ node: { publicId: 'acme-backend-engineer' } }] },
        company: { publicId: 'acme' },
      },
    });
  });

  it('returns the keys of an update and those that the contract adds, and writes nothing (Contract 4.5.1)', async () => {
    const { status, body } = await read(job);
    expect(status).toBe(200);
    const updated = await rest(gateway, 'PATCH', job, { form: named }, { token });
    expect(updated.headers.get('etag')).toBe('"1"');
    const [shown, ofUpdate] = [body.data, updated.body.data] as Record<string, unknown>[];
    expect(shown).toMatchObject(ofUpdate ?? {});
    const added = Object.keys(shown ?? {}).filter((key) => !Object.hasOwn(ofUpdate ?? {}, key));
    const contract = await readFile(new URL('../../schema/contract.md', import.meta.url), 'utf8');
    const told = contract.split('**4.5.1**')[1]?.split('\n- **')[0] ?? '';
    const namedThere = [...told.split('the keys of 2.2.1')[1]!.matchAll(/`(\w+)`/g)].map(([, key]) => key);
    const ofPay = partsOf(jobFields, 'salaryRange').map(({ name }) => documentedName(name));
    expect(added.sort()).toEqual([...namedThere, ...ofPay].sort());
  });

  it('returns in updated_at when the job last changed or expired, even before the archiver runs (Contract 2.2.10)', async () => {
    const created = (await gateway.models.jobs.findOne({ publicId: 'acme-backend-engineer' }).orFail())
      .updatedAt;
    expect((await read(job)).body.data).toMatchObject({
      updated_at: created.toISOString(),
      state: 'published',
    });
    const sentAt = Date.now();
    await rest(gateway, 'PATCH', job, { form: { ...named, salary: '1 €' } }, { token });
    const { updated_at: updatedAt } = (await read(job)).body.data as { updated_at: string };
    expect(Date.parse(updatedAt)).toBeGreaterThanOrEqual(sentAt);
    expect(Date.parse(updatedAt)).toBeLessThanOrEqual(Date.now());
    const publishedAt = new Date(Date.now() - 91 * 86_400_000);
    await gateway.models.jobs.collection.updateOne(
      { publicId: 'acme-backend-engineer' },
      { $set: withEnd({ publishedAt }) },
    );
    expect((await read(job)).body.data).toMatchObject({
      state: 'archived',
      expires_at: null,
      updated_at: new Date(publishedAt.getTime() + 90 * 86_400_000).toISOString(),
    });
  });
});

describe('Job-State and Job-Expires', () => {
  const ofJob = async (reply: Promise<{ headers: Headers }>) => {
    const { headers } = await reply;
    return [headers.get('job-state'), headers.get('job-expires')];
  };
  const update = (form: Record<string, string>, headers: Record<string, string> = {}) =>
    rest(gateway, 'POST', job, { form: { ...named, ...form } }, { token, headers });

  it('are in replies to reads, updates, replays and dry runs of one job, and in 304 (Contract 4.5.7)', async () => {
    const { expires_at: end } = (await read(job)).body.data as { expires_at: string };
    expect(await ofJob(read(job))).toEqual(['published', end]);
    expect(await ofJob(read(job, {}, 'HEAD'))).toEqual(['published', end]);
    const known = await read(job, { 'if-none-match': await tagOf(job) });
    expect([known.status, ...(await ofJob(Promise.resolve(known)))]).toEqual([304, 'published', end]);
    expect(await ofJob(update({ salary: '1 €' }))).toEqual(['published', end]);
    expect(await ofJob(update({ state: 'archived' }, { prefer: 'validate-only' }))).toEqual([
      'archived',
      null,
    ]);
    await gateway.reset();
    const keyed = { 'idempotency-key': 'archive' };
    expect(await ofJob(update({ state: 'archived' }, keyed))).toEqual(['archived', null]);
    await update({ state: 'published' });
    const replayed = await update({ state: 'archived' }, keyed);
    expect(replayed.headers.get('idempotency-replayed')).toBe('true');
    expect(await ofJob(Promise.resolve(replayed))).toEqual(['archived', null]);
  });

  it('are in no other reply (Contract 4.5.7)', async () => {
    expect(await ofJob(read('/jobs?media-public-id=demo-media'))).toEqual([null, null]);
    expect(await ofJob(read('/jobs/nobody'))).toEqual([null, null]);
    expect(await ofJob(read(company))).toEqual([null, null]);
  });
});

describe('GET /jobs', () => {
  const list = async (query: string) => {
    const { status, body, headers } = await read(`/jobs?${query}`);
    const data = (body.data ?? []) as unknown as { public_id: string }[];
    return { status, headers, ids: data.map(({ public_id: id }) => id), after: body.after as string | null };
  };
  const all = async (query: string) => {
    const ids: string[] = [];
    for (let url: string | undefined = `jobs?${query}`; url;) {
      const page = await list(url.slice('jobs?'.length));
      ids.push(...page.ids);
      url = /^<(jobs\?.+)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1];
      expect(url === undefined).toBe(page.after === null);
    }
    return ids;
  };

  it('lists all jobs of the media, page by page through Link (Contract 4.5.8)', async () => {
    const stored = await gateway.models.jobs.find({ media: 'demo-media' }).sort({ publicId: 1 }).lean();
    expect(await all('media-public-id=demo-media&first=3')).toEqual(stored.map(({ publicId }) => publicId));
    expect(await all('media_public_id=demo-media')).toEqual(stored.map(({ publicId }) => publicId));
  });

  it('filters by company, state and time of the last write (Contract 4.5.8)', async () => {
    // This job has expired, so it counts as archived even before the archiver runs.
    expect(await all('media-public-id=demo-media&company-public-id=acme&state=archived')).toEqual([
      'acme-night-guard',
    ]);
    const since = encodeURIComponent(new Date(Date.now() - 1).toISOString());
    await new Promise((resolve) => setTimeout(resolve, 2));
    await rest(gateway, 'POST', job, { form: { salary: '3 €' } }, { token });
    expect(await all(`media-public-id=demo-media&updated-since=${since}`)).toContain('acme-backend-engineer');
    const future = encodeURIComponent(new Date(Date.now() + 60_000).toISOString());
    expect(await all(`media-public-id=demo-media&updated-since=${future}`)).toEqual([]);
  });

  it('shows each job like GET /jobs/{job_public_id}, without description and questions (Contract 4.5.8)', async () => {
    const { body } = await read('/jobs?media-public-id=demo-media&first=1');
    const { description, questions, ...shown } = (await read(job)).body.data as Record<string, unknown>;
    expect([description, questions]).not.toContain(undefined);
    expect(body).toEqual({ data: [shown], after: expect.any(String) });
  });

  it.each([
    ['', ['missing-media-public-id']],
    ['media-public-id=', ['missing-media-public-id']],
    [
      'state=open&first=0.5&updated-since=yesterday&company-public-id=a&company-public-id=b',
      [
        'missing-media-public-id',
        'company-public-id-must-be-string',
        'state-format-error',
        'updated-since-format-error',
        'first-format-error',
      ],
    ],
    ['media-public-id=demo-media&state=open&first=101', ['state-format-error', 'first-format-error']],
    ['media-public-id=demo-media&after=*', ['after-format-error']],
  ])('?%s reports every fault of its parameters (Contract 4.5.8, 7.3.1)', async (given, codes) => {
    const { status, body } = await read(`/jobs?${given}`);
    expect([status, body.errors?.map(({ code }) => code)]).toEqual([422, codes]);
  });
});

describe('GET /companies', () => {
  it.each([
    ['', ['missing-media-public-id', 'missing-company-public-id']],
    ['?media-public-id=demo-media', ['missing-company-public-id']],
    ['?media-public-id=demo-media&company-public-id=%20', ['missing-company-public-id']],
    ['?company-public-id=acme', ['missing-media-public-id']],
    ['?media_public_id=demo-media', ['missing-company-public-id']],
    [
      '?media-public-id=demo-media&company-public-id=acme&company-public-id=acme',
      ['company-public-id-must-be-string'],
    ],
    [
      '?media-public-id=demo-media&company-public-id=acme&company_public_id=acme',
      ['company-public-id-must-be-string'],
    ],
  ])(
    '%s reports every fault of its parameters, and spends quota (Contract 4.5.2, 7.3.1)',
    async (given, codes) => {
      const { status, headers, body } = await read(`/companies${given}`);
      expect([status, body.error]).toEqual([422, 'validation-failed']);
      expect(body.errors?.map(({ code }) => code)).toEqual(codes);
      expect(body.errors?.[0]?.field).toMatch(/^(media|company)-public-id$/);
      expect(headers.get('ratelimit-remaining')).not.toBeNull();
    },
  );

  it('answers 401 if the token lacks the scope or the media, whatever the parameters (Contract 7.6.1)', async () => {
    const stranger = await gateway.token({ scope: 'r_jobs' });
    expect((await read('/companies', {}, 'GET', stranger)).status).toBe(401);
    expect((await read('/companies?media-public-id=other-media')).status).toBe(401);
    expect((await read('/companies?media-public-id=demo-media&company-public-id=nobody')).body.error).toBe(
      'company-not-found',
    );
  });
});

it.each([
  ['/jobs', ['company-public-id', 'state', 'updated-since', 'updated_since', 'first', 'after']],
  ['/changes', ['first', 'after']],
])('a blank parameter of %s counts as absent (Contract 4.5.13)', async (path, parameters) => {
  const of = `${path}?media-public-id=demo-media`;
  const { body } = await read(of);
  expect(body.data).not.toEqual([]);
  const pageOf = ({ body: { data }, status }: Awaited<ReturnType<typeof read>>) => [status, data];
  for (const blank of ['', '%20', '+%09'])
    expect(pageOf(await read(`${of}${parameters.map((name) => `&${name}=${blank}`).join('')}`))).toEqual([
      200,
      body.data,
    ]);
  const first = await read(`${of}&first=1`);
  expect(pageOf(await read(`${of}&first=&first=1`))).toEqual(pageOf(first));
});

describe('a query parameter that a list does not know', () => {
  const faultsOf = async (path: string) => {
    const { status, body } = await read(path);
    return [status, body.errors?.map(({ field, code }) => [field, code])];
  };

  it.each(['/jobs', '/changes'])('gets unknown-field from GET %s (Contract 4.5.14, 7.3.2)', async (path) => {
    const long = 'a'.repeat(60);
    const given = `&status=published&limit=1&since=&updatedSince=x&first[0][1]=2&${long}=1&a%00b=1`;
    expect(await faultsOf(`${path}?media-public-id=demo-media${given}`)).toEqual([
      422,
      [
        ...['status', 'limit', 'since', 'updatedSince', 'first[0][1]', `${long.slice(0, 40)}…`, 'a\uFFFDb'],
      ].map((field) => [field, 'unknown-field']),
    ]);
  });

  it.each(['/jobs', '/changes'])(
    'is reported by GET %s beside the other faults of the request (Contract 4.5.14, 7.3.1)',
    async (path) => {
      expect(await faultsOf(`${path}?media_public_id=&first=x&limit[]=1`)).toEqual([
        422,
        [
          ['media-public-id', 'missing-media-public-id'],
          ['first', 'first-format-error'],
          ['limit', 'unknown-field'],
        ],
      ]);
    },
  );

  it.each(['/jobs', '/changes'])('is ignored by GET %s if others add it (Contract 4.5.14)', async (path) => {
    const { status } = await read(`${path}?media-public-id=demo-media&_=17&_x&utm_source=a&access_token=b`);
    expect(status).toBe(200);
  });

  it('is reported twenty times at most (Contract 4.5.14)', async () => {
    const many = Array.from({ length: 3_000 }, (_, at) => `&${at.toString(36)}`).join('');
    const { status, body } = await read(`/jobs?media-public-id=demo-media${many}`);
    expect([status, body.errors?.length]).toEqual([422, 20]);
  });

  it('is ignored by other reads (Contract 4.5.14)', async () => {
    for (const path of [`${job}?x=1`, `${company}&x=1`, `${references}?x=1`])
      expect((await read(path)).status).toBe(200);
  });
});

it.each([
  ['state[]', 'state=archived'],
  ['state[0]', 'state=archived'],
  ['state[]', 'state=archived&state=draft'],
  ['first[]', 'first=1'],
  ['public_id[12]', 'public_id=acme-night-guard'],
])('%s of GET /jobs is the parameter of %s (Contract 4.5.15)', async (name, plain) => {
  const of = '/jobs?media_public_id=demo-media&';
  const { status, body } = await read(`${of}${plain.replaceAll(/\w+(?==)/g, name)}`);
  expect([status, body]).toEqual([200, (await read(`${of}${plain}`)).body]);
  expect(body.data).not.toEqual([]);
});

describe('GET /references/{kind}', () => {
  it.each(['nothing', 'Contract', 'job-category', '__proto__', 'toString'])(
    '%s gets not-found, and spends quota (Contract 4.5.3, 8.2.6)',
    async (kind) => {
      const { status, headers, body } = await read(`/references/${kind}`);
      expect([status, body.error]).toEqual([404, 'not-found']);
      expect(headers.get('ratelimit-remaining')).not.toBeNull();
    },
  );

  it('lists ids that updates accept (Contract 4.1.4, 4.5.3)', async () => {
    const { body } = await read(references);
    const [first] = body.data as unknown as { id: string; public_id: string }[];
    const form = { ...named, contract_id: first?.id ?? '' };
    const updated = await rest(gateway, 'PATCH', job, { form }, { token });
    expect(updated.body.data?.contract).toMatchObject({ public_id: first?.public_id });
  });
});

describe('the ETag of a read', () => {
  it.each(paths)(
    'from %s gets 304 without a body if sent in If-None-Match (Contract 4.5.4)',
    async (path) => {
      const tag = await tagOf(path);
      for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
        for (const method of ['GET', 'HEAD']) {
          const { status, headers, body } = await read(path, { 'if-none-match': known }, method);
          expect([status, body, headers.get('etag')]).toEqual([304, null, tag]);
          expect(headers.get('content-length')).toBeNull();
          expect(headers.get('cache-control')).toBe('private, no-cache');
          expect(headers.get('vary')).toMatch(/accept-language/);
        }
      }
      expect((await read(path, { 'if-none-match': '"1"' })).status).toBe(200);
    },
  );

  it.each([
    [job, job],
    [company, '/companies'],
  ])('from %s works in If-Match of an update (Contract 4.5.4, 9.1.1)', async (path, to) => {
    const tag = await tagOf(path);
    expect(tag).toMatch(/^"1-[\w-]{16}"$/);
    const update = (fields: Record<string, string>) =>
      rest(gateway, 'PATCH', to, { form: { ...named, ...fields } }, { token, headers: { 'if-match': tag } });
    expect((await update({})).headers.get('etag')).toBe('"1"');
    expect((await update(to === job ? { salary: '1' } : { description: 'New' })).headers.get('etag')).toBe(
      '"2"',
    );
    expect((await update({})).status).toBe(412);
    expect((await read(path, { 'if-none-match': tag })).status).toBe(200);
    expect(await tagOf(path)).toMatch(/^"2-/);
  });

  it('differs between languages if the names differ (Contract 4.5.4)', async () => {
    for (const path of [job, references])
      expect(await tagOf(path, { 'accept-language': 'fr' })).not.toBe(await tagOf(path));
  });

  it('of a job changes if its company is renamed, although the job keeps its version (Contract 4.5.4)', async () => {
    const tag = await tagOf(job);
    const form = { ...named, name: 'Acme of Lyon' };
    await rest(gateway, 'PATCH', '/companies', { form }, { token });
    const { status, body, headers } = await read(job, { 'if-none-match': tag });
    expect([status, body.data?.company]).toEqual([200, { public_id: 'acme', name: 'Acme of Lyon' }]);
    expect(headers.get('etag')).toMatch(/^"1-/);
  });
});

describe('every read over REST', () => {
  const limited = ownGateway({ READ_QUOTA: '7/1m' });

  it.each(paths)(
    '%s spends what it costs of the read quota, even for HEAD and 304 (Contract 4.5.5, 8.2.1, 8.2.8)',
    async (path) => {
      // Each path has its own subject, and so a full quota.
      const by = await limited.token({ sub: path });
      const ask = (method: string, headers: Record<string, string> = {}) =>
        rest(limited, method, path, undefined, { token: by, headers });
      const replies = [await ask('GET'), await ask('HEAD'), await ask('GET', { 'if-none-match': '*' })];
      const told = (name: string) => replies.map(({ headers }) => Number(headers.get(`ratelimit-${name}`)));
      const units = path.startsWith('/jobs') ? 2 : 1;
      expect(told('cost')).toEqual([units, units, units]);
      expect(told('remaining')).toEqual([7 - units, 7 - 2 * units, 7 - 3 * units]);
      let last = await ask('GET');
      for (let left = 7 - 4 * units; left >= 0; left -= units) last = await ask('GET');
      expect([last.status, last.body.error, last.headers.has('retry-after')]).toEqual([
        429,
        'rate-limit-exceeded',
        true,
      ]);
    },
  );
});
