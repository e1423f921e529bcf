import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { operations, type Role, scopes } from '../../src/operations.js';
import { ownGateway } from '../support/own-gateway.js';
import { type GraphQLBody, graphql, type Reply, rest, type RestBody } from '../support/requests.js';
import { settle } from '../support/settle.js';
import { allCredentials, type Credential } from './matrix/callers.js';
import { outcomesAt, mainHolders } from './matrix/decided.js';
import { rows } from './matrix/operations.js';
import { type Place, type PlaceName, places, storePlaces } from './matrix/places.js';
import { restRoutes, schemaOperations } from './matrix/routes.js';

let credentials: Credential[];

const gateway = ownGateway({ AUTH_FAILURE_QUOTA: '1000000/1s' });
beforeAll(async () => {
  await storePlaces(gateway);
  credentials = await allCredentials(gateway);
});

describe('the access matrix', () => {
  it('has a row for every field with its own resolver or guard (Contract 3.2.2)', () => {
    expect(Object.keys(rows)).toEqual(expect.arrayContaining(schemaOperations()));
  });

  it('has a row for every REST path and method, and every other method is refused (Contract 3.2.2)', async () => {
    // The row of a GET also sends HEAD.
    const others = (await restRoutes(gateway.settings)).filter(
      (route) => !(route.replace(/^HEAD /, 'GET ') in rows),
    );
    for (const route of others) {
      const [method = '', path = ''] = route.split(' ');
      // fetch cannot send these two methods.
      if (method === 'TRACE' || method === 'CONNECT') continue;
      const { status } = await fetch(gateway.url + path.replace(/:\w+/, 'any'), { method });
      expect(`${route} ${status}`).toBe(`${route} 405`);
    }
  });

  it('has a row for every scope (Contract 3.2.1)', () => {
    const asked = Object.values(rows).flatMap(({ scopes: ofRow, fieldScopes = [] }) => [
      ...ofRow,
      ...fieldScopes,
    ]);
    expect(new Set(asked)).toEqual(new Set(scopes));
  });

  const cells = Object.entries(rows).flatMap(([name, operation]) =>
    (Object.keys(places) as PlaceName[])
      .filter((placeName) => !operation.isPlaceless || placeName === 'own record, own brand')
      .map((placeName) => [name, placeName, operation] as const),
  );
  it.each(cells)(
    '%s at "%s" gives every caller the outcome in the contract (Contract 3.2.1, 3.2.4, 3.3.1, 3.3.2, 3.3.3, 3.3.6, 3.3.7, 5.5.4)',
    async (_name, placeName, operation) => {
      // Otherwise an earlier change could appear in the list of changes between two answers that must be equal.
      await settle(gateway);
      // Bad tokens and most sets of scopes get the same outcome at every place, so only the first place tries all.
      const tried = credentials.filter(
        ({ holder, scopeSet }) =>
          placeName === 'own record, own brand' ||
          scopeSet === 'write' ||
          (mainHolders.includes(holder ?? '') && (scopeSet === 'noScope' || scopeSet === 'read')),
      );
      const { actual, expected } = await outcomesAt(gateway, operation, placeName, tried);
      expect(actual).toEqual(expected);
    },
  );
});

describe('viewerCanUpdate (Contract 4.2.5)', () => {
  const records = [
    ['Query.job', 'Mutation.updateJob', ({ job }: Place) => `job(publicId: "${job}")`],
    [
      'Query.company',
      'Mutation.updateCompany',
      ({ media, company }: Place) => `company(mediaPublicId: "${media}", publicId: "${company}")`,
    ],
  ] as const;
  const cells = records.flatMap(([read, update, field]) =>
    (Object.keys(places) as PlaceName[]).map((place) => [read, place, update, field] as const),
  );

  it.each(cells)(
    'of %s at "%s" is what an update by any caller answers',
    async (_read, name, update, field) => {
      const shown = await Promise.all(
        credentials.map(async ({ name: who, token }) => {
          const query = `{ it: ${field(places[name])} { viewerCanUpdate } }`;
          const { body } = await graphql(gateway, query, {}, { token });
          const { it: found } = (body.data ?? {}) as { it?: { viewerCanUpdate: boolean } | null };
          if (!found) return [];
          const outcome = await rows[update]?.call(gateway, places[name], token);
          return [[who, found.viewerCanUpdate, outcome === 'done']];
        }),
      );
      for (const [who, flag, canUpdate] of shown.flat()) expect([who, flag]).toEqual([who, canUpdate]);
    },
  );

  it('is false for a job of a company that is not published', async () => {
    const setPublished = (isPublished: boolean) =>
      gateway.models.companies.collection.updateOne(
        { publicId: 'employer-own-brand' },
        { $set: { memberships: [{ media: 'demo-media', isPublished, isVmePagePublished: true }] } },
      );
    await setPublished(false);
    const { job } = places['own record, own brand'];
    const query = `{ job(publicId: "${job}") { viewerCanUpdate employer { viewerCanUpdate } } }`;
    const { body } = await graphql(gateway, query, {}, { token: await gateway.token() });
    expect(body.data).toEqual({ job: { viewerCanUpdate: false, employer: { viewerCanUpdate: true } } });
    const { body: updated } = await rest(
      gateway,
      'POST',
      `/jobs/${job}`,
      { form: {} },
      { token: await gateway.token() },
    );
    expect(updated.error).toBe('company-not-published');
    await setPublished(true);
  });
});

/** Leaves out what differs between any two replies. */
function visible({ status, headers, body }: Reply<GraphQLBody | RestBody>) {
  const shown = JSON.stringify(body).replaceAll(headers.get('x-request-id') ?? '', 'request id');
  const ignored = ['date', 'x-request-id', 'ratelimit-reset', 'ratelimit-remaining', 'content-length'];
  return {
    status,
    headers: Object.fromEntries([...headers].filter(([name]) => !ignored.includes(name))),
    body: shown.replace(/"resetSeconds":\d+|"remaining":\d+/g, ''),
  };
}

const asks: Record<string, (place: Place, token: string) => Promise<Reply<GraphQLBody | RestBody>>> = {
  'query company': ({ media, company }, token) =>
    graphql(
      gateway,
      'query ($media: String!, $company: String!) { company(mediaPublicId: $media, publicId: $company) { name } }',
      { media, company },
      { token },
    ),
  'query job': ({ job }, token) =>
    graphql(
      gateway,
      'query ($job: String!) { job(publicId: $job) { name managerEmails } }',
      { job },
      { token },
    ),
  'mutation updateCompany': ({ media, company }, token) =>
    graphql(
      gateway,
      'mutation ($input: UpdateCompanyInput!) { updateCompany(input: $input) { company { name } } }',
      { input: { mediaPublicId: media, companyPublicId: company, name: 'Initech', sizeId: 'none such' } },
      { token },
    ),
  'mutation updateJob': ({ media, employer, job }, token) =>
    graphql(
      gateway,
      'mutation ($input: UpdateJobInput!) { updateJob(input: $input, expectedVersion: 99) { job { name } } }',
      {
        input: {
          mediaPublicId: media,
          companyPublicId: employer,
          jobPublicId: job,
          contractId: 'none such',
          state: 'draft',
        },
      },
      { token },
    ),
  'mutation updateJob, by the job': ({ job }, token) =>
    graphql(
      gateway,
      'mutation ($input: UpdateJobInput!) { updateJob(input: $input, expectedVersion: 99) { job { name } } }',
      { input: { jobPublicId: job, contractId: 'none such', state: 'draft' } },
      { token },
    ),
  'PATCH /companies': ({ media, company }, token) =>
    rest(
      gateway,
      'PATCH',
      '/companies',
      { form: { media_public_id: media, company_public_id: company, size_id: 'none such' } },
      { token, headers: { 'if-match': '"99"' } },
    ),
  'GET /companies': ({ media, company }, token) =>
    rest(gateway, 'GET', `/companies?media-public-id=${media}&company-public-id=${company}`, undefined, {
      token,
    }),
  'GET /jobs/{job_public_id}': ({ job }, token) => rest(gateway, 'GET', `/jobs/${job}`, undefined, { token }),
  'POST /jobs/{job_public_id}': ({ media, employer, job }, token) =>
    rest(
      gateway,
      'POST',
      `/jobs/${job}`,
      { json: { media_public_id: media, company_public_id: employer, state: 'draft', salary: 12 } },
      { token },
    ),
  'POST /jobs/{job_public_id}, by its company': ({ employer, job }, token) =>
    rest(
      gateway,
      'POST',
      `/jobs/${job}`,
      { json: { company_public_id: employer, state: 'draft', salary: 12 } },
      { token },
    ),
};

/** For each caller, two places that must give exactly the same refusal. */
const pairs: [string, { roles: string[]; brand?: string; media?: string[] }, PlaceName, PlaceName][] = [
  ['media_partner', { roles: ['media_partner'] }, 'another partner’s record, own brand', 'absent record'],
  ['media_partner', { roles: ['media_partner'] }, 'another partner’s record, other brand', 'absent record'],
  [
    'brand_admin',
    { roles: ['brand_admin'], brand: 'acme-group' },
    'own record, other brand',
    'absent record of an absent company',
  ],
  [
    'brand_admin',
    { roles: ['brand_admin'], brand: 'other-group' },
    'own record, own brand',
    'absent record of an absent company',
  ],
  ...[
    { roles: ['media_admin'] },
    { roles: ['media_partner'] },
    { roles: ['brand_admin'], brand: 'acme-group' },
  ].flatMap((claims): typeof pairs => {
    const role = claims.roles[0] ?? '';
    return [
      [role, claims, 'own record, own brand, foreign media', 'absent record, foreign media'],
      [role, claims, 'own record, own brand, foreign media', 'absent media'],
    ];
  }),
];

describe('a role that the row of updateJob does not accept', () => {
  const accepted: Record<Role, boolean> = operations.updateJob.roles;
  const { media_admin: isAccepted } = accepted;
  beforeAll(() => void (accepted.media_admin = false));
  afterAll(() => void (accepted.media_admin = isAccepted));

  it.each([
    ['another partner’s record, own brand', ['media_admin'], 'refused'],
    ['another partner’s record, own brand', ['media_admin', 'media_partner'], 'refused'],
    ['own record, own brand', ['media_admin', 'media_partner'], 'done'],
  ] as const)(
    'adds no reach for an update: at "%s" with the roles %j, the update is %s (Contract 3.3)',
    async (place, held, outcome) => {
      const token = await gateway.token({ sub: 'tester', roles: [...held] });
      const ask = (name: string) => rows[name]?.call(gateway, places[place], token);
      expect(await ask('Query.job')).toBe('done');
      expect(await ask('Mutation.updateJob')).toBe(outcome);
      expect(await ask('PATCH /jobs/:jobPublicId')).toBe(outcome);
    },
  );
});

describe('a role that the row of company does not accept', () => {
  const accepted: Record<Role, boolean> = operations.company.roles;
  const { media_admin: isAccepted } = accepted;
  afterAll(() => void (accepted.media_admin = isAccepted));

  it('adds no reach for the employer of a job, even if the caller has an accepted role (Contract 3.2.3, 3.3)', async () => {
    const token = await gateway.token({ sub: 'tester', roles: ['media_admin', 'media_partner'] });
    const ask = async () => rows['Job.employer']?.call(gateway, places['own record, own brand'], token);
    expect(await ask()).toBe('done');
    accepted.media_admin = false;
    expect(await ask()).toBe('null');
  });
});

describe('a foreign record and an absent record', () => {
  it.each(pairs)(
    'get the same answer over every API, whatever else is wrong: a %s with %j asks for "%s" and "%s" (Contract 3.3.7)',
    async (_role, claims, foreign, absent) => {
      const token = await gateway.token({ brand: undefined, ...claims });
      for (const [name, ask] of Object.entries(asks)) {
        const replies = [await ask(places[foreign], token), await ask(places[absent], token)];
        const [one, other] = replies.map(visible);
        expect({ name, ...one }).toEqual({ name, ...other });
        // GraphQL tells a record out of reach in the errors of a 200 (Contract 7.3).
        expect(one?.status).toBe(/^(query|mutation) /.test(name) ? 200 : 401);
      }
    },
  );

  it('differ only in company-already-existed, for a name or domain that the caller sent (Contract 5.2.7)', async () => {
    for (const roles of [['media_admin'], ['media_partner']]) {
      const token = await gateway.token({ roles });
      for (const form of [{ name: 'Initech' }, { domain_url: 'initech.example' }]) {
        const given = { media_public_id: 'demo-media', ...form };
        const { status, body } = await rest(gateway, 'PATCH', '/companies', { form: given }, { token });
        expect(status).toBe(409);
        expect(body.error).toBe('company-already-existed');
        expect(JSON.stringify(body)).not.toMatch(/initech|other-media/i);
      }
    }
  });
});
