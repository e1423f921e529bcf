import { beforeAll, expect, it } from '@jest/globals';
import { CompanyType } from '../../src/company/company.types.js';
import { JobListArguments } from '../../src/job/job-list.types.js';
import { UpdateJobInput } from '../../src/job/job.types.js';
import { createLog } from '../../src/log/log.js';
import { deprecate, enumValue, fieldsOf, queriesNamed } from '../support/deprecate.js';
import { ownGateway } from '../support/own-gateway.js';
import { graphql, rest } from '../support/requests.js';
import { until } from '../support/until.js';

const reason = 'Nobody reads it. Deprecated since 2026-12-01, gone on 2027-12-01.';
deprecate(fieldsOf(CompanyType, 'size'), reason);
deprecate(fieldsOf(UpdateJobInput, 'salary'), reason);
deprecate(fieldsOf(JobListArguments, 'filter'), reason);
deprecate(enumValue('JobSort', 'expires_at_asc'), reason);
deprecate(queriesNamed('references'), reason);

const lines: string[] = [];
const log = createLog({ logLevel: 'info', environment: 'test' }, { write: (line) => void lines.push(line) });
const gateway = ownGateway({}, { log });
let token: string;
beforeAll(async () => void (token = await gateway.token()));

async function counts(): Promise<Record<string, number>> {
  const metrics = await (await fetch(`${gateway.url}/metrics`)).text();
  const series = metrics.matchAll(/^gateway_deprecated_uses_total\{part="(.+)"\} (\d+)$/gm);
  return Object.fromEntries([...series].map(([, part = '', count]) => [part, Number(count)] as const));
}

const client = { 'apollographql-client-name': 'board' };

/** What the log and the metrics say of a call. */
async function usesOf(send: () => Promise<unknown>): Promise<{ logged: unknown; counted: string[] }> {
  const before = await counts();
  lines.length = 0;
  await send();
  await until(() => lines.some((line) => line.includes('"answered"')));
  const { deprecated: logged } = JSON.parse(lines.find((line) => line.includes('"answered"')) ?? '') as {
    deprecated?: string[];
  };
  const after = await counts();
  const counted = Object.keys(after).filter((part) => after[part] !== before[part]);
  return { logged, counted };
}

const update =
  'mutation ($input: UpdateJobInput!) { updateJob(input: $input, dryRun: true) { job { publicId } } }';
const named = { mediaPublicId: 'demo-media', companyPublicId: 'acme', jobPublicId: 'acme-backend-engineer' };
const list =
  'query ($filter: JobFilter, $sort: JobSort) { jobs(mediaPublicId: "demo-media", filter: $filter, sort: $sort) { totalCount } }';

it('every deprecated part counts from 0 (Contract 11.6.1)', async () => {
  expect(await counts()).toEqual({
    'Company.size': 0,
    'JobSort.expires_at_asc': 0,
    'Media.jobs(filter:)': 0,
    'Query.jobs(filter:)': 0,
    'Query.references': 0,
    'UpdateJobInput.salary': 0,
  });
});

it.each([
  [
    'a field in a fragment, twice',
    'query A { ...F } fragment F on Query { company(mediaPublicId: "demo-media", publicId: "acme") { size more: size } }',
    {},
    ['Company.size'],
  ],
  [
    'an input field as a literal',
    'mutation { updateJob(input: { mediaPublicId: "demo-media", companyPublicId: "acme", jobPublicId: "acme-backend-engineer", salary: "1" }, dryRun: true) { job { publicId } } }',
    {},
    ['UpdateJobInput.salary'],
  ],
  ['an input field in a variable', update, { input: { ...named, salary: '1' } }, ['UpdateJobInput.salary']],
  ['no deprecated part', update, { input: named }, []],
  ['an argument without a value', list, {}, []],
  [
    'an argument and an enum value',
    list,
    { filter: {}, sort: 'expires_at_asc' },
    ['Query.jobs(filter:)', 'JobSort.expires_at_asc'],
  ],
  [
    'an enum value as a literal',
    '{ jobs(mediaPublicId: "demo-media", sort: expires_at_asc) { totalCount } }',
    {},
    ['JobSort.expires_at_asc'],
  ],
])(
  'a call with %s is counted by part, and logged with its client (Contract 11.6.1)',
  async (_which, document, variables, parts) => {
    const uses = await usesOf(() => graphql(gateway, document, variables, { token, headers: client }));
    expect(uses).toEqual({ logged: parts.length > 0 ? parts : undefined, counted: [...parts].sort() });
    expect(lines.join('')).toContain('"client":"board"');
  },
);

it('an object in place of an enum value is refused as without deprecations (Contract 7.2)', async () => {
  const sort = { toString: 1, valueOf: 1 };
  const { body } = await graphql(gateway, list, { sort }, { token });
  expect(body.errors?.map(({ extensions }) => extensions.error)).toEqual(['validation-failed']);
});

it('REST calls count too (Contract 11.6.1)', async () => {
  const form = { media_public_id: 'demo-media', company_public_id: 'acme', salary: '1' };
  const job = '/jobs/acme-backend-engineer';
  const { logged } = await usesOf(() => rest(gateway, 'PATCH', job, { form }, { token }));
  expect(logged).toEqual(['UpdateJobInput.salary']);
  const read = await usesOf(() => rest(gateway, 'GET', '/references/contract', undefined, { token }));
  expect(read.logged).toEqual(['Query.references']);
});

it('calls without a token are not counted (Contract 11.6.1)', async () => {
  const { counted } = await usesOf(() =>
    graphql(gateway, '{ company(mediaPublicId: "demo-media", publicId: "acme") { size } }'),
  );
  expect(counted).toEqual([]);
});
