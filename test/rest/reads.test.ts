import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { statement } from '../support/contract-text.js';
import { settle } from '../support/settle.js';
import { ownGateway } from '../support/own-gateway.js';
import { graphql, rest } from '../support/requests.js';

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
  it('ignores spaces around the id, as updates do (Contract 4.1.4)', async () => {
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

  it('returns the keys of an update and those that the contract adds, and writes nothing (Contract 4.4.1)', async () => {
    const { status, body } = await read(job);
    expect(status).toBe(200);
    const updated = await rest(gateway, 'PATCH', job, { form: named }, { token });
    expect(updated.headers.get('etag')).toBe('"1"');
    const [shown, ofUpdate] = [body.data, updated.body.data] as Record<string, unknown>[];
    expect(shown).toMatchObject(ofUpdate ?? {});
    const added = Object.keys(shown ?? {}).filter((key) => !Object.hasOwn(ofUpdate ?? {}, key));
    const [, namedThere = ''] = statement('4.4.1').split('the keys of 2.2.1');
    expect(added.sort()).toEqual([...namedThere.matchAll(/`(\w+)`/g)].map(([, key]) => key).sort());
  });
});

describe('Job-State and Job-Expires', () => {
  const ofJob = async (reply: Promise<{ headers: Headers }>) => {
    const { headers } = await reply;
    return [headers.get('job-state'), headers.get('job-expires')];
  };
  const update = (form: Record<string, string>, headers: Record<string, string> = {}) =>
    rest(gateway, 'POST', job, { form: { ...named, ...form } }, { token, headers });

  it('are in replies to reads, updates, replays and dry runs of one job, and in 304 (Contract 4.4.7)', async () => {
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

  it('are in no other reply (Contract 4.4.7)', async () => {
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

  it('lists all jobs of the media, page by page through Link (Contract 4.4.2)', async () => {
    const stored = await gateway.models.jobs.find({ media: 'demo-media' }).sort({ publicId: 1 }).lean();
    expect(await all('media-public-id=demo-media&first=3')).toEqual(stored.map(({ publicId }) => publicId));
    expect(await all('media_public_id=demo-media')).toEqual(stored.map(({ publicId }) => publicId));
  });

  it('shows each job like GET /jobs/{job_public_id}, without description and questions (Contract 4.4.2)', async () => {
    const { body } = await read('/jobs?media-public-id=demo-media&first=1');
    const { description, questions, ...shown } = (await read(job)).body.data as Record<string, unknown>;
    expect([description, questions]).not.toContain(undefined);
    expect(body).toEqual({ data: [shown], after: expect.any(String) });
  });

  it.each([
    ['', ['missing-media-public-id']],
    ['media-public-id=', ['missing-media-public-id']],
    [
      'state=open&first=0.5&updated-since=yesterday&place=a&place=b',
      [
        'missing-media-public-id',
        'state-format-error',
        'updated-since-format-error',
        'place-must-be-string',
        'first-format-error',
      ],
    ],
    ['media-public-id=demo-media&state=open&first=101', ['state-format-error', 'first-format-error']],
    ['media-public-id=demo-media&after=*', ['after-format-error']],
  ])('?%s reports every fault of its parameters (Contract 4.4.2, 7.4.1)', async (given, codes) => {
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
    '%s reports every fault of its parameters, and spends quota (Contract 4.4.5, 7.4.1)',
    async (given, codes) => {
      const { status, headers, body } = await read(`/companies${given}`);
      expect([status, body.error]).toEqual([422, 'validation-failed']);
      expect(body.errors?.map(({ code }) => code)).toEqual(codes);
      expect(body.errors?.[0]?.field).toMatch(/^(media|company)-public-id$/);
      expect(headers.get('ratelimit-remaining')).not.toBeNull();
    },
  );
});

it.each([
  ['/jobs', ['company-public-id', 'state', 'updated-since', 'updated_since', 'first', 'after']],
  ['/changes', ['first', 'after']],
])('a blank parameter of %s counts as absent (Contract 4.4.5)', async (path, parameters) => {
  const of = `${path}?media-public-id=demo-media`;
  await settle(gateway);
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

describe('GET /job-counts', () => {
  it('counts by state, with the filters of GET /jobs (Contract 4.3.9, 4.4.2)', async () => {
    const countsOf = async (query: string) => {
      const { status, body, headers } = await read(`/job-counts?media-public-id=demo-media${query}`);
      expect([status, headers.get('ratelimit-cost')]).toEqual([200, '5']);
      const { data } = body as unknown as { data: { state: string; count: number }[] };
      return data.map(({ state, count }) => `${state} ${count}`);
    };
    const all = await countsOf('');
    expect(all.map((each) => each.split(' ')[0])).toEqual(['draft', 'published', 'archived']);
    expect(await countsOf('&state=published&state=draft')).toEqual(all.slice(0, 2));
    const filters = '&contract_id=permanent&contract-id=none&place=ile%20de%20france';
    for (const each of await countsOf(filters)) {
      const [state = '', count] = each.split(' ');
      const { body } = await read(`/jobs?media-public-id=demo-media${filters}&state=${state}`);
      const listed = body.data as unknown as { contract: { public_id: string }; location: object }[];
      expect(listed).toHaveLength(Number(count));
      for (const job of listed)
        expect(job).toMatchObject({
          contract: { public_id: 'permanent' },
          location: { administrative_area_region: 'Île-de-France' },
        });
    }
    expect(await countsOf('&contract-id=none')).toEqual(['draft 0', 'published 0', 'archived 0']);
  });

  it('refuses too many ids and unknown states (Contract 4.3.5)', async () => {
    const many = '&contract-id=x'.repeat(101);
    const { status, body } = await read(`/job-counts?media-public-id=demo-media&state=open${many}`);
    expect([status, body.errors?.map(({ field, code }) => [field, code])]).toEqual([
      422,
      [
        ['state', 'state-format-error'],
        ['contract_id', 'contract_id-too-long'],
      ],
    ]);
  });
});

describe('a query parameter that a list does not know', () => {
  const faultsOf = async (path: string) => {
    const { status, body } = await read(path);
    return [status, body.errors?.map(({ field, code }) => [field, code])];
  };

  it.each(['/jobs', '/job-counts', '/changes'])(
    'gets unknown-field from GET %s (Contract 4.4.5, 7.4.2)',
    async (path) => {
      const long = 'a'.repeat(60);
      const given = `&status=published&limit=1&since=&updatedSince=x&first[0][1]=2&${long}=1&a%00b=1`;
      expect(await faultsOf(`${path}?media-public-id=demo-media${given}`)).toEqual([
        422,
        [
          ...['status', 'limit', 'since', 'updatedSince', 'first[0][1]', `${long.slice(0, 40)}…`, 'a\uFFFDb'],
        ].map((field) => [field, 'unknown-field']),
      ]);
    },
  );

  it.each(['/jobs', '/changes'])('is ignored by GET %s if others add it (Contract 4.4.5)', async (path) => {
    const { status } = await read(`${path}?media-public-id=demo-media&_=17&_x&utm_source=a&access_token=b`);
    expect(status).toBe(200);
  });

  it('is not repeated in Link if it is an access_token (Contract 4.4.5)', async () => {
    const tokens = ['access_token', 'access_token[]', 'access_token[0]'].map((name) => `&${name}=SECRET`);
    const { headers } = await read(`/jobs?media-public-id=demo-media&first=1${tokens.join('')}&_=17`);
    expect(headers.get('link')).toMatch(
      /^<jobs\?media-public-id=demo-media&first=1&_=17&after=[^&]+>; rel="next"$/,
    );
  });

  it('is reported twenty times at most (Contract 4.4.5)', async () => {
    const many = Array.from({ length: 3_000 }, (_, at) => `&${at.toString(36)}`).join('');
    const { status, body } = await read(`/jobs?media-public-id=demo-media${many}`);
    expect([status, body.errors?.length]).toEqual([422, 20]);
  });
});

it.each([
  ['state[]', 'state=draft'],
  ['state[0]', 'state=draft'],
  ['state[]', 'state=archived&state=draft'],
  ['first[]', 'first=1'],
  ['public_id[12]', 'public_id=acme-night-guard'],
])('%s of GET /jobs is the parameter of %s (Contract 4.4.5)', async (name, plain) => {
  const of = '/jobs?media_public_id=demo-media&';
  const { status, body } = await read(`${of}${plain.replaceAll(/\w+(?==)/g, name)}`);
  expect([status, body]).toEqual([200, (await read(`${of}${plain}`)).body]);
  expect(body.data).not.toEqual([]);
});

describe('GET /references/{kind}', () => {
  it.each(['nothing', 'Contract', 'job-category', '__proto__', 'toString'])(
    '%s gets not-found, and spends quota (Contract 4.4.4, 8.2.4)',
    async (kind) => {
      const { status, headers, body } = await read(`/references/${kind}`);
      expect([status, body.error]).toEqual([404, 'not-found']);
      expect(headers.get('ratelimit-remaining')).not.toBeNull();
    },
  );
});

describe('the ETag of a read', () => {
  it.each(paths)(
    'from %s gets 304 without a body if sent in If-None-Match (Contract 4.4.6)',
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
  ])('from %s works in If-Match of an update (Contract 4.4.6, 6.1.1)', async (path, to) => {
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

  it('differs between languages if the names differ (Contract 4.4.6)', async () => {
    for (const path of [job, references])
      expect(await tagOf(path, { 'accept-language': 'fr' })).not.toBe(await tagOf(path));
  });

  it('of a job changes if its company is renamed, although the job keeps its version (Contract 4.4.6)', async () => {
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
    '%s spends what it costs of the read quota, even for HEAD and 304 (Contract 4.4.8, 8.1.1, 8.2.3)',
    async (path) => {
      // Each path has its own subject, and so a full quota.
      const by = await limited.token({ sub: path });
      const ask = (method: string, headers: Record<string, string> = {}) =>
        rest(limited, method, path, undefined, { token: by, headers });
      const replies = [await ask('GET'), await ask('HEAD'), await ask('GET', { 'if-none-match': '*' })];
      const told = (name: string) => replies.map(({ headers }) => Number(headers.get(`ratelimit-${name}`)));
      expect(told('cost')).toEqual([1, 1, 1]);
      expect(told('remaining')).toEqual([6, 5, 4]);
      let last = await ask('GET');
      for (let left = 3; left >= 0; left -= 1) last = await ask('GET');
      expect([last.status, last.body.error, last.headers.has('retry-after')]).toEqual([
        429,
        'rate-limit-exceeded',
        true,
      ]);
    },
  );
});
