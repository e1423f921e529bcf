import { expect } from '@jest/globals';
import { companyFields } from '../../../src/company/company-fields.rules.js';
import { type FieldTable, pathsOf } from '../../../src/fields/fields.rules.js';
import { nodeId } from '../../../src/fields/row.rules.js';
import { isNonNullType } from 'graphql';
import { snakeCase } from '../../../src/errors/snake-case.js';
import { buildSchema } from '../../../src/graphql/schema.js';
import { jobFields } from '../../../src/job/job-fields.rules.js';
import {
  isCreation,
  operations,
  type RootFieldName,
  type MutationField,
  mutationFields,
} from '../../../src/operations.js';
import { inputOf, rootField } from '../../../src/rest/envelope.js';
import { type TestGateway } from '../../support/gateway.js';
import { statement } from '../../support/contract-text.js';
import { graphql, rest } from '../../support/requests.js';
import { type Place } from './places.js';
import { graphqlOutcome, type Outcome, restOutcome } from './outcome.js';

/** An operation, a field with its own rule, or a documented path. */
export interface Row {
  call(gateway: TestGateway, place: Place, token: string | undefined): Promise<Outcome>;
  /** Any one of these scopes suffices; a refusal names the first. */
  scopes: readonly string[];
  /** If false, reach does not matter either. */
  needsRole: boolean;
  /** For a caller who covers the media: `record` if only the record is absent, `company` if its company is absent too. */
  absent?: { record: Outcome; company: Outcome };
  /** A caller who reaches part of the media gets an answer, possibly an empty one. */
  isOfMedia?: true;
  /** The outcome is the same at every place. */
  isPlaceless?: true;
  /** A caller without these scopes gets the record without the field. */
  fieldScopes?: readonly string[];
  /** The row shows a node, which is null for callers without one of these scopes or out of whose reach it is. */
  nodeScopes?: readonly string[];
  /** The row shows the job's company, which is null for callers who reach only the job. */
  isOfEmployer?: true;
}

const schema = buildSchema();

/** The scopes and roles that the contract asks of a call. */
function authorityOf(field: RootFieldName): Pick<Row, 'scopes' | 'needsRole'> {
  const rows = statement('3.2.1')
    .split('\n')
    .map((line) => line.split('|'));
  const row = rows.find(([, calls]) => calls?.includes(`\`${field}\``));
  if (!row) throw new Error(`3.2.1 lacks ${field}`);
  const [, , role = '', scopes = ''] = row;
  return { scopes: scopes.match(/\w+(?=`)/g) ?? [], needsRole: role.trim() !== 'none' };
}
const absentCompany = { record: 'absent company-not-found', company: 'absent company-not-found' };
const absentJob = { record: 'absent job-not-found', company: 'absent company-not-found' };
/** The public id of an absent job names no media, so nobody reaches the job. */
const nobodysAbsentJob = { record: 'refused', company: 'refused' };

const query =
  (text: string, path: string[], variablesOf: (place: Place) => Record<string, unknown>) =>
  async (gateway: TestGateway, place: Place, token: string | undefined): Promise<Outcome> =>
    graphqlOutcome(await graphql(gateway, text, variablesOf(place), { token }), path);

const companyVariables = ({ media, company }: Place) => ({ media, company });
const jobVariables = ({ job }: Place) => ({ job });
const company = (selection: string) =>
  `query ($media: String!, $company: String!) { company(mediaPublicId: $media, publicId: $company) { ${selection} } }`;
const job = (selection: string) => `query ($job: String!) { job(publicId: $job) { ${selection} } }`;

const placeless = (field: RootFieldName, text: string): Row => ({
  call: query(text, [field], () => ({})),
  ...authorityOf(field),
  isPlaceless: true,
});
const ofMedia = (field: RootFieldName): Row => ({
  call: query(
    `query ($media: String!) { ${field}(mediaPublicId: $media) { edges { cursor } } }`,
    [field],
    ({ media }) => ({ media }),
  ),
  ...authorityOf(field),
  isOfMedia: true,
});
const ofCompany = (selection: string, path: string[] = []): Row => ({
  call: query(company(selection), ['company', ...path], companyVariables),
  ...authorityOf('company'),
  absent: absentCompany,
});
const ofJob = (selection: string, path: string[] = []): Row => ({
  call: query(job(selection), ['job', ...path], jobVariables),
  ...authorityOf('job'),
  absent: nobodysAbsentJob,
});

/** Callers who may read a record but not update it do not see its lists of e-mail addresses (Contract 3.2.4). */
const emailLists = (
  type: string,
  fields: FieldTable,
  rowOf: typeof ofJob,
  scope: string,
): Record<string, Row> =>
  Object.fromEntries(
    pathsOf(fields, 'isPersonal').map((path) => [
      `${type}.${path}`,
      { ...rowOf(`publicId ${path}`, [path]), fieldScopes: [scope] },
    ]),
  );

/** Sends HEAD with each GET: both have the same status and headers. */
function restRead(
  route: string,
  pathOf: (place: Place) => string,
  needs: Omit<Row, 'call'>,
): Record<string, Row> {
  const call: Row['call'] = async (gateway, place, token) => {
    const ask = (method: string) => rest(gateway, method, pathOf(place), undefined, { token });
    const [head, get] = await Promise.all([ask('HEAD'), ask('GET')]);
    expect(head.body).toBeNull();
    const names = ['www-authenticate', 'etag', 'content-length', 'content-type', 'cache-control'];
    const shown = [head, get].map(({ status, headers }) => [status, names.map((name) => headers.get(name))]);
    expect(shown[0]).toEqual(shown[1]);
    return restOutcome(get);
  };
  return { [`GET ${route}`]: { ...needs, call } };
}

const nodes: [RootFieldName, Partial<Row>, (place: Place) => string][] = [
  ['job', {}, ({ job: publicId }) => nodeId('Job', publicId)],
  ['company', {}, ({ media, company: publicId }) => nodeId('Company', media, publicId)],
  ['media', { isOfMedia: true }, ({ media }) => nodeId('Media', media)],
];
const nodeRows = (field: 'node' | 'nodes', text: string, ...path: string[]): Record<string, Row> =>
  Object.fromEntries(
    nodes.map(([kind, row, idOf]) => [
      kind === 'job' ? `Query.${field}` : `Query.${field}, ${kind}`,
      {
        ...{ ...row, ...authorityOf(field), nodeScopes: authorityOf(kind).scopes },
        call: query(text, [field, ...path], (place) => ({ id: idOf(place) })),
      },
    ]),
  );

/** The input of a mutation with all ids, with each optional id alone, and without any. The id of the record is always sent. */
function namingsOf(field: MutationField): { label: string; names: string[] }[] {
  const input = inputOf(rootField(schema, field))?.getFields() ?? {};
  const own = `${operations[field].record}PublicId`;
  const ids = Object.values(input).filter(
    ({ name }) => name.endsWith('PublicId') && !(isCreation(field) && name === own),
  );
  const isOptional = ({ name, type }: (typeof ids)[number]) =>
    !isNonNullType(type) && name !== `${operations[field].record}PublicId`;
  const optional = ids.filter(isOptional).map(({ name }) => name);
  const naming = (label: string, kept: readonly string[]) => ({
    label,
    names: ids.filter((id) => !isOptional(id) || kept.includes(id.name)).map(({ name }) => name),
  });
  if (optional.length === 0) return [naming('', [])];
  const alone = optional.map((name) => naming(`, by its ${name.replace('PublicId', '')}`, [name]));
  return [naming('', optional), ...alone, naming(', by itself', [])];
}

/** The answer about an absent record to a caller who covers the media. The public id of an absent job names no media. */
function absentBy(field: MutationField, names: readonly string[]): NonNullable<Row['absent']> {
  if (operations[field].record === 'company' || isCreation(field)) return absentCompany;
  if (!names.includes('mediaPublicId')) return nobodysAbsentJob;
  return names.includes('companyPublicId') ? absentJob : { ...absentJob, company: absentJob.record };
}

/** Over GraphQL and REST. The methods of a path share a handler, so only the first tries every naming. */
function mutationRows(field: MutationField): [string, Row][] {
  const { record, rest: route } = operations[field];
  const type = inputOf(rootField(schema, field))?.name;
  // A created job would give a partner with the same subject reach to its company.
  const dryRun = isCreation(field) ? ', dryRun: true' : '';
  const text = `mutation ($input: ${type}!) { ${field}(input: $input${dryRun}) { ${record} { publicId } } }`;
  return namingsOf(field).flatMap(({ label, names }, index) => {
    const idsAt = ({ media, company, employer, job }: Place) => {
      const ids: Record<string, string> = {
        ...{ mediaPublicId: media, jobPublicId: job },
        companyPublicId: record === 'company' || isCreation(field) ? company : employer,
      };
      const named = Object.fromEntries(names.map((name) => [name, ids[name] ?? '']));
      return isCreation(field) ? { ...named, name: 'A job' } : named;
    };
    const send =
      (method: string): Row['call'] =>
      async (gateway, place, token) => {
        const form = idsAt(place);
        const path = route.path.replace(/:(\w+)/g, (_, name: string) => {
          const { [name]: id = '' } = form;
          delete form[name];
          return id;
        });
        const sent = Object.entries(form).map(([name, id]): [string, string] => [snakeCase(name), id]);
        const headers = isCreation(field) ? { prefer: 'validate-only' } : {};
        return restOutcome(await rest(gateway, method, path, { form: sent }, { token, headers }));
      };
    const calls: Record<string, Row['call']> = {
      [`Mutation.${field}`]: query(text, [field], (place) => ({ input: idsAt(place) })),
    };
    for (const method of index === 0 ? route.methods : [route.methods[0]])
      calls[`${method} ${route.path}`] = send(method);
    return Object.entries(calls).map(([name, call]): [string, Row] => [
      name + label,
      { call, ...authorityOf(field), absent: absentBy(field, names) },
    ]);
  });
}

/** The access matrix (Contract 3.2). */
export const rows: Record<string, Row> = {
  'Query.viewer': placeless('viewer', '{ viewer { subject } }'),
  'Query.references': placeless('references', '{ references(kind: size) { publicId } }'),
  'Query.media': placeless('media', '{ media { edges { node { publicId } } } }'),
  'Query.companies': ofMedia('companies'),
  'Query.changes': ofMedia('changes'),
  'Query.jobs': ofMedia('jobs'),
  'Query.jobCounts': {
    ...ofMedia('jobCounts'),
    call: query(
      'query ($media: String!) { jobCounts(mediaPublicId: $media) { count } }',
      ['jobCounts'],
      ({ media }) => ({ media }),
    ),
  },
  ...nodeRows('node', 'query ($id: ID!) { node(id: $id) { id } }'),
  ...nodeRows('nodes', 'query ($id: ID!) { nodes(ids: [$id]) { id } }', '0'),
  'Query.company': ofCompany('publicId'),
  'Company.history': ofCompany('history(first: 1) { nodes: edges { node { at } } }', ['history']),
  'Company.jobs': {
    ...ofCompany('publicId jobs(first: 1) { edges { cursor } }', ['jobs']),
    fieldScopes: authorityOf('jobs').scopes,
  },
  ...Object.fromEntries(
    (['jobs', 'companies'] as const).map((list): [string, Row] => [
      `Media.${list}`,
      {
        ...nodeRows(
          'node',
          `query ($id: ID!) { node(id: $id) { ... on Media { ${list}(first: 1) { edges { cursor } } } } }`,
          list,
        )['Query.node, media']!,
        fieldScopes: authorityOf(list).scopes,
      },
    ]),
  ),
  'Company.sizeReference': ofCompany('sizeReference { id }', ['sizeReference']),
  'Company.sectorReferences': ofCompany('sectorReferences { id }', ['sectorReferences']),
  ...emailLists('Company', companyFields, ofCompany, 'r_w_companies'),
  'Query.job': ofJob('publicId company { publicId name }'),
  'Job.jobPosting': ofJob('publicId jobPosting'),
  'Job.history': ofJob('history(first: 1) { nodes: edges { node { at } } }', ['history']),
  'Job.employer': {
    ...ofJob('publicId employer { publicId }', ['employer']),
    fieldScopes: authorityOf('company').scopes,
    isOfEmployer: true,
  },
  ...emailLists('Job', jobFields, ofJob, 'r_w_jobs'),
  ...Object.fromEntries(mutationFields.flatMap(mutationRows)),
  ...restRead(
    '/companies',
    ({ media, company }) => `/companies?media-public-id=${media}&company-public-id=${company}`,
    { ...authorityOf('company'), absent: absentCompany },
  ),
  ...restRead('/changes', ({ media }) => `/changes?media-public-id=${media}`, {
    ...authorityOf('changes'),
    isOfMedia: true,
  }),
  ...restRead('/jobs', ({ media }) => `/jobs?media-public-id=${media}`, {
    ...authorityOf('jobs'),
    isOfMedia: true,
  }),
  ...restRead('/job-counts', ({ media }) => `/job-counts?media-public-id=${media}`, {
    ...authorityOf('jobCounts'),
    isOfMedia: true,
  }),
  ...restRead('/jobs/:jobPublicId', ({ job }) => `/jobs/${job}`, {
    ...authorityOf('job'),
    absent: nobodysAbsentJob,
  }),
  ...restRead('/references/:kind', () => '/references/size', {
    ...authorityOf('references'),
    isPlaceless: true,
  }),
};
