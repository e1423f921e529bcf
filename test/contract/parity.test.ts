import { beforeAll, describe, expect, it } from '@jest/globals';
import { type mongo } from 'mongoose';
import { readFileSync } from 'node:fs';
import { catalogue, graphqlCodeOf } from '../../src/errors/catalogue.js';
import { referenceKinds } from '../../src/fields/reference-snapshot.js';
import { payPeriods } from '../../src/job/job-choices.rules.js';
import { envelopes } from '../../src/rest/envelope.js';
import { type Answer, canSend, type Api, send, sharedMessage, type UpdateRequest } from '../support/apis.js';
import { inputOfFields } from '../support/input-name.js';
import { ownGateway } from '../support/own-gateway.js';
import { graphql, rest } from '../support/requests.js';
import { demoDataAsStored } from '../support/reset-records.js';
import { usualClaims } from '../support/tokens.js';
import { companyFields } from './parity/company-fields.js';
import { companyIdentity } from './parity/company-identity.js';
import { everyCompanyField, everyJobField } from './parity/every-field.js';
import { jobApplication } from './parity/job-application.js';
import { jobEmails } from './parity/job-emails.js';
import { jobEndCases } from './parity/job-end.js';
import { jobPay } from './parity/job-pay.js';
import { jobReferences } from './parity/job-references.js';
import { jobStateCases } from './parity/job-states.js';
import { jobTexts } from './parity/job-texts.js';
import { orderOfChecks } from './parity/order-of-checks.js';
import { type ParityCase } from './parity/parity-case.js';

// The clock stands still: tests predict stored instants.
const now = new Date();
const demo = demoDataAsStored(now);
const usual = {
  updateJob: { media_public_id: 'demo-media', company_public_id: 'acme' },
  updateCompany: { media_public_id: 'demo-media', company_public_id: 'acme' },
};
const apis: Record<ParityCase['operation'], readonly Api[]> = {
  updateJob: ['form', 'json', 'graphql'],
  updateCompany: ['form', 'json', 'multipart', 'graphql'],
};

type StoredRecord = Record<string, unknown> & { _id: mongo.ObjectId };

interface Outcome extends Answer {
  record: unknown;
  versions: number;
  /** The changed fields in each history entry. */
  history: string[][];
}

const callers = {
  media_admin: usualClaims,
  'media_admin with read scopes': { scope: 'r_jobs r_companies' },
  media_partner: { roles: ['media_partner'] },
  brand_admin: { roles: ['brand_admin'], brand: 'acme-group' },
  'caller without a role': { roles: [] },
  'caller with an unrelated scope': { scope: 'profile' },
};

let neighbours: unknown;
/** Tokens by their claims as JSON. */
const tokens = new Map<string | undefined, string>();

const gateway = ownGateway({ AUTH_FAILURE_QUOTA: '1000000/1m' }, { clock: () => now });
beforeAll(async () => {
  // Sign now: the clock stands still, so a token signed later would be from the future.
  const written = Object.values(tables).flatMap((cases) => cases.map(({ claims }) => claims));
  for (const claims of [...written, ...Object.values(callers)]) {
    const key = JSON.stringify(claims);
    if (claims !== null && !tokens.has(key)) tokens.set(key, await gateway.token(claims));
  }
  neighbours = await findNeighbours();
});

const tables: Record<string, readonly ParityCase[]> = {
  'a job’s texts': jobTexts,
  'a job’s references': jobReferences,
  'how to apply': jobApplication,
  'e-mail lists': jobEmails,
  'a pay range': jobPay,
  'a job’s states': jobStateCases(now),
  'a job’s end': jobEndCases(now),
  'every field of a job': everyJobField,
  'every field of a company': everyCompanyField,
  'a company': companyIdentity,
  'a company’s fields': companyFields,
  'order of checks': orderOfChecks,
};

describe.each(Object.entries(tables))('%s, the same over every API (Contract 1.2)', (_name, cases) => {
  it.each(cases.map((each): [string, ParityCase] => [each.title, each]))('%s', async (_title, parityCase) => {
    const request = requestOf(parityCase);
    const outcomes = new Map<Api, Outcome>();
    for (const api of parityCase.apis ?? apis[parityCase.operation]) {
      if (canSend(api, request)) outcomes.set(api, await outcomeOf(api, parityCase, request));
    }
    expect(outcomes.size).toBeGreaterThanOrEqual(2);
    for (const [api, outcome] of outcomes) {
      if (api === 'graphql' && isRefusedByTypes(parityCase)) expectRefusedByTypes(outcome, parityCase);
      else expectOutcome(outcome, parityCase, [...outcomes.values()][0]);
    }
  });
});

it('the cases leave every other record unchanged', async () => {
  expect(await findNeighbours()).toEqual(neighbours);
});

/** GraphQL requires a currency and one of the periods in every pay range. */
function isRefusedByTypes({ fields, isRefusedByTypes: isMarked }: ParityCase): boolean {
  const pay = inputOfFields(fields).salaryRange as
    { currency?: unknown; period?: unknown } | null | undefined;
  return isMarked === true || (pay != null && !(pay.currency != null && isPeriod(pay.period)));
}

const isPeriod = (period: unknown): boolean => payPeriods.some((one) => one === period);

function expectOutcome(outcome: Outcome, parityCase: ParityCase, first: Outcome | undefined): void {
  const { refused = null, faults = [], warnings = [], stored = {} } = parityCase;
  const versions = parityCase.versions ?? (Object.keys(stored).length > 0 ? 1 : 0);
  expect({
    code: outcome.code,
    faults: outcome.faults.map(({ code }) => code).sort(),
    warnings: outcome.warnings.map(({ field, code }) => `${field}: ${code}`),
    record: outcome.record,
    versions: outcome.versions,
  }).toEqual({
    code: refused,
    faults: [...faults].sort(),
    warnings: [...warnings].sort(),
    record: plain(
      withPaths(demoRecord(parityCase), {
        ...parityCase.before,
        ...stored,
        ...(versions > 0 && { updatedAt: now }),
      }),
    ),
    versions,
  });
  if (refused) {
    const { status } = catalogue[refused];
    expect(outcome.status).toBe(status);
    const expected = parityCase.claims === null ? 'UNAUTHENTICATED' : graphqlCodeOf(refused);
    expect(outcome.graphqlCode ?? expected).toBe(expected);
  }
  // The APIs must also agree on messages, the shown record and the history.
  expect({ ...outcome, status: 0, graphqlCode: '' }).toEqual({ ...first, status: 0, graphqlCode: '' });
}

function expectRefusedByTypes(outcome: Outcome, parityCase: ParityCase): void {
  expect(outcome.graphqlCode).toBe('BAD_USER_INPUT');
  expect(outcome.status).toBe(400);
  expect(outcome.record).toEqual(plain(withPaths(demoRecord(parityCase), parityCase.before ?? {})));
  expect(outcome.versions).toBe(0);
}

async function outcomeOf(api: Api, parityCase: ParityCase, request: UpdateRequest): Promise<Outcome> {
  const { collection } =
    parityCase.operation === 'updateJob' ? gateway.models.jobs : gateway.models.companies;
  const demoOne = demoRecord(parityCase);
  const { before } = parityCase;
  if (before) await collection.replaceOne({ _id: demoOne._id }, withPaths(demoOne, before));
  const answer = await send(gateway, api, request);
  const after = await collection.findOne<StoredRecord>({ _id: demoOne._id });
  if (before || after?.version !== 1) await collection.replaceOne({ _id: demoOne._id }, demoOne);
  const history = (after?.pendingHistory ?? []) as { changes: { field: string }[] }[];
  return {
    ...answer,
    // `changedAt` comes from the database's clock, which keeps running. No caller sees `archivedAt`.
    record: plain({
      ...{ ...after, version: 1, pendingHistory: [] },
      ...{ changedAt: undefined, archivedAt: undefined },
    }),
    versions: Number(after?.version) - 1,
    history: history.map(({ changes }) => changes.map(({ field }) => field).sort()),
  };
}

function requestOf({
  operation,
  fields,
  form,
  job,
  companyInQuery,
  expectedVersion,
  claims,
}: ParityCase): UpdateRequest {
  const given = Object.entries({ ...usual[operation], ...fields }).filter(([, value]) => value !== undefined);
  const isOfForm = (name: string) => !form?.some(([key]) => key.replace(/\[\d*\]$/, '') === name);
  return {
    operation,
    fields: Object.fromEntries(given),
    form: form && [
      ...given.filter(([name]) => isOfForm(name)).map(([name, value]) => [name, String(value)] as const),
      ...form,
    ],
    job: operation === 'updateJob' ? (job ?? 'acme-backend-engineer') : undefined,
    companyInQuery,
    expectedVersion,
    token: tokens.get(JSON.stringify(claims)),
  };
}

/** The record that a case updates. For an absent record: the usual record, which must stay unchanged. */
function demoRecord({ operation, job = 'acme-backend-engineer' }: ParityCase): StoredRecord {
  const records: readonly { publicId: string }[] = operation === 'updateJob' ? demo.jobs : demo.companies;
  const publicId = operation === 'updateJob' ? job : 'acme';
  const record =
    records.find((each) => each.publicId === publicId) ??
    records.find((each) => each.publicId === 'acme-backend-engineer');
  return { ...record, changedAt: undefined, archivedAt: undefined } as unknown as StoredRecord;
}

function withPaths(record: StoredRecord, paths: Record<string, unknown>): StoredRecord {
  const copy: StoredRecord = { ...record };
  for (const [path, value] of Object.entries(paths)) {
    const [key = '', part] = path.split('.');
    copy[key] = part === undefined ? value : { ...(copy[key] as Record<string, unknown>), [part]: value };
  }
  return copy;
}

/** Turns ids and instants into texts, as the tables have them. */
const plain = (record: unknown): unknown => JSON.parse(JSON.stringify(record));

/** The records that no case updates, without the expired job, which the archiving task changes. */
async function findNeighbours(): Promise<unknown> {
  const { companies, jobs } = gateway.models;
  const touched = ['acme', 'acme-backend-engineer', 'acme-night-guard'];
  const others = { publicId: { $nin: touched } };
  return plain([
    await companies.find(others).sort({ publicId: 1 }).lean(),
    await jobs.find(others).sort({ publicId: 1 }).lean(),
  ]);
}

describe('reading over REST and over GraphQL', () => {
  interface PageInfo {
    hasNextPage: boolean;
    endCursor: string | null;
  }
  interface Read {
    path: string;
    query: string;
    variables: Record<string, unknown>;
    /** Converts an answer of the query to the REST body. */
    shown: (answer: never) => object;
  }

  const job = (publicId: string): Read => ({
    path: `/jobs/${publicId}`,
    query: 'job',
    variables: { publicId },
    shown: (answer: object) => ({ data: envelopes.job(answer) }),
  });
  const company = (mediaPublicId: string, publicId: string): Read => ({
    path: `/companies?media-public-id=${mediaPublicId}&company-public-id=${publicId}`,
    query: 'company',
    variables: { mediaPublicId, publicId },
    shown: (answer: object) => ({ status: 200, company: envelopes.company(answer) }),
  });
  const jobs = (mediaPublicId: string, more = '', filter = {}): Read => ({
    path: `/jobs?media-public-id=${mediaPublicId}${more}`,
    query: 'jobs',
    variables: { mediaPublicId, filter },
    shown: ({ edges, pageInfo }: { edges: { node: object }[]; pageInfo: PageInfo }) => ({
      data: edges.map(({ node }) => envelopes.jobs(node)),
      after: pageInfo.hasNextPage ? pageInfo.endCursor : null,
    }),
  });
  const references = (kind: string): Read => ({
    path: `/references/${kind}`,
    query: 'references',
    variables: { kind },
    shown: (answer: object[]) => ({ data: answer.map(envelopes.references) }),
  });

  const reads = [
    job('acme-backend-engineer'),
    job('acme-night-guard'),
    job('globex-accountant'),
    job('nobody'),
    company('demo-media', 'acme'),
    company('demo-media', 'globex'),
    company('demo-media', 'initech'),
    company('demo-media', 'nobody'),
    company('other-media', 'initech'),
    company('nowhere', 'acme'),
    jobs('demo-media'),
    jobs('demo-media', '&state=archived&state=draft', { states: ['archived', 'draft'] }),
    jobs('demo-media', '&public-id=globex-accountant&public_id=none&public-id=acme-night-guard', {
      publicIds: ['globex-accountant', 'none', 'acme-night-guard'],
    }),
    jobs('other-media'),
    jobs('nowhere'),
    ...referenceKinds.map(references),
  ];

  describe.each(Object.entries(callers))('by a %s', (_name, claims) => {
    it.each(reads.map((read): [string, Read] => [read.path, read]))(
      'gives the same answer for GET %s and its query, refusals included (Contract 4.4.3, 4.4.8)',
      async (path, { query, variables, shown }) => {
        const token = tokens.get(JSON.stringify(claims));
        const file = new URL(`../../schema/operations/${query}.graphql`, import.meta.url);
        for (const language of ['en', 'fr']) {
          const options = { token, headers: { 'accept-language': language } };
          const { body: answered } = await graphql(gateway, readFileSync(file, 'utf8'), variables, options);
          const { status, body } = await rest(gateway, 'GET', path, undefined, options);
          const [error] = answered.errors ?? [];
          if (error) {
            const { error: code, status: expected } = error.extensions;
            expect(body).toEqual({
              status: expected,
              error: code,
              errorMessage: sharedMessage(code, error.message),
            });
          } else expect([status, body]).toEqual([200, shown(answered.data?.[query] as never)]);
        }
      },
    );
  });
});
