import * as to from './requests.js';
import { type More, type Refusal, refusal } from './refusal.js';

const { job, jobUpdate, companyUpdate, ofJob, urlencoded, form } = to;

const realm = 'Bearer realm="gateway"';
const badTokens = {
  expired: 'the token has expired',
  wrongKey: 'the signature does not verify',
  wrongAudience: 'the claim aud is missing or does not have the expected value',
  wrongIssuer: 'the claim iss is missing or does not have the expected value',
  algNone: 'the gateway does not accept this alg',
  hmacWithPublicKey: 'the gateway does not accept this alg',
  notAToken: 'the token is malformed',
} as const;
const lacking = (scope: string) => ({
  reason: 'scope_missing',
  challenge: `${realm}, error="insufficient_scope", scope="${scope}", error_description="the token lacks the scope ${scope}"`,
  extensions: { scope },
});

/** The message over GraphQL, after the colon. */
const reasons: Record<string, [en: string, fr: string]> = {
  token_missing: ['the request has no token', 'la requête n’a pas de jeton'],
  token_invalid: ['the token is not valid', 'le jeton n’est pas valide'],
  token_expired: ['the token has expired', 'le jeton a expiré'],
  scope_missing: ['the token lacks the scope ', 'il manque au jeton le scope '],
  role_missing: ['the token has none of the roles that may do this', 'aucun rôle du jeton ne permet cela'],
  out_of_reach: [
    'there is no such media or record, or it is out of reach of the token',
    'ce média ou cet enregistrement n’existe pas, ou le jeton n’y donne pas accès',
  ],
};

function unauthorized(title: string, sent: Refusal['sent'], { reason, ...more }: More & { reason: string }) {
  const [en = '', fr = ''] = reasons[reason] ?? [];
  const { scope = '' } = (more.extensions ?? {}) as { scope?: string };
  return refusal('unauthorized-limitation', title, sent, {
    challenge:
      reason === 'token_missing' ? realm : `${realm}, error="insufficient_scope", error_description="${en}"`,
    ...more,
    message: [`Unauthorized: ${en}${scope}.`, `Unauthorized : ${fr}${scope}.`],
    extensions: { reason, ...more.extensions },
  });
}

export const authority: readonly Refusal[] = [
  ...(Object.keys(badTokens) as (keyof typeof badTokens)[]).map((claims) =>
    unauthorized(`a token with the fault ${claims}`, jobUpdate({}), {
      claims,
      reason: claims === 'expired' ? 'token_expired' : 'token_invalid',
      graphqlCode: 'UNAUTHENTICATED',
      challenge: `${realm}, error="invalid_token", error_description="${badTokens[claims]}"`,
    }),
  ),
  unauthorized('no token', jobUpdate({}), {
    claims: null,
    reason: 'token_missing',
    graphqlCode: 'UNAUTHENTICATED',
    field: 'updateJob',
  }),
  unauthorized('a token without the scope of an update', jobUpdate({}), {
    claims: { scope: 'r_jobs' },
    ...lacking('r_w_jobs'),
    field: 'updateJob',
  }),
  unauthorized('a token without a role', jobUpdate({ salary: '1' }), {
    claims: { roles: [] },
    reason: 'role_missing',
    field: 'updateJob',
  }),
  unauthorized('a token for another media', jobUpdate({ salary: '1' }), {
    claims: { media: ['elsewhere'] },
    reason: 'out_of_reach',
    field: 'updateJob',
  }),
  unauthorized(
    'a query in another media',
    [to.document('{ jobs(mediaPublicId: "elsewhere") { edges { cursor } } }')],
    { claims: { scope: 'r_jobs' }, reason: 'out_of_reach', field: 'jobs' },
  ),
  unauthorized(
    'a token without the scope of a query',
    [to.document('{ references(kind: contract) { publicId } }')],
    { claims: { scope: '' }, ...lacking('r_jobs'), field: 'references' },
  ),
  unauthorized(
    'an absent job, answered like a job out of reach (Contract 3.3.7)',
    ['nothing', 'initech-tester'].map((id) => to.document(`{ job(publicId: "${id}") { name } }`)),
    { reason: 'out_of_reach', field: 'job', bucket: 'read' },
  ),
];

const keyed = (salary: string) => to.rest(job, urlencoded, form({ salary }), { 'idempotency-key': 'once' });

export const records: readonly Refusal[] = [
  refusal('company-not-found', 'an absent company', companyUpdate({ company_public_id: 'nobody' }), {
    field: 'updateCompany',
  }),
  refusal(
    'company-not-found',
    'an absent company that the query string names (Contract 5.2.3)',
    ['company-public-id', 'company_public_id'].map((name) =>
      to.rest(`/companies?${name}=nobody`, urlencoded, 'media_public_id=demo-media&size_id=small'),
    ),
  ),
  refusal('job-not-found', 'an absent job', jobUpdate({}, 'nothing'), { field: 'updateJob' }),
  refusal(
    'company-not-published',
    'a job of an unpublished company',
    jobUpdate({ company_public_id: 'globex' }, 'globex-accountant'),
    { field: 'updateJob' },
  ),
  refusal(
    'state-transition-not-allowed',
    'a state that the job cannot reach (Contract 7.4.5)',
    jobUpdate({ state: 'draft' }),
    { field: 'updateJob', fields: [['input.state', 'state-transition-not-allowed', 'conflict']] },
  ),
  refusal('company-already-existed', 'a taken name (Contract 7.4.5)', companyUpdate({ name: 'Globex' }), {
    field: 'updateCompany',
    message: ['Another company has this name or domain.', 'Une autre entreprise a ce nom ou ce domaine.'],
    fields: [['input.name', 'company-already-existed', 'conflict']],
  }),
  refusal(
    'job-already-existed',
    'a new job with a taken public id',
    [
      to.rest(
        '/jobs',
        urlencoded,
        form({ company_public_id: 'acme', job_public_id: 'acme-backend-engineer', name: 'A' }),
      ),
      to.document('mutation ($input: CreateJobInput!) { createJob(input: $input) { job { name } } }', {
        input: { ...ofJob, companyPublicId: 'acme', name: 'A' },
      }),
    ],
    { field: 'createJob', fields: [['input.jobPublicId', 'job-already-existed', 'conflict']] },
  ),
  refusal(
    'version-conflict',
    'another version than the expected one',
    [
      to.rest(job, urlencoded, form({}), { 'if-match': '"7"' }),
      to.document(to.updateJobWith('expectedVersion: 7'), { input: ofJob }),
    ],
    { field: 'updateJob', extensions: { currentVersion: 1, changedFields: [] } },
  ),
  refusal('idempotency-key-reuse', 'a key that was used with another body', [keyed('2')], {
    before: keyed('1'),
  }),
  refusal('rate-limit-exceeded', 'an empty bucket (Contract 7.2.3, 7.3.2)', jobUpdate({}), {
    field: 'updateJob',
    headers: { 'retry-after': /^[1-9]\d?$/, 'ratelimit-limit': '2', 'ratelimit-remaining': '0' },
  }),
  refusal(
    'internal-error',
    'a damaged record, which the caller does not learn (Contract 7.2.1)',
    [
      to.rest(job, urlencoded, form({})),
      to.document('{ job(publicId: "acme-backend-engineer") { questions { name } } }'),
    ],
    { field: 'job' },
  ),
  refusal('service-unavailable', 'a database that is away', jobUpdate({}), {
    field: 'updateJob',
    bucket: null,
    headers: { 'retry-after': '1' },
  }),
];
