import { expect } from '@jest/globals';
import { companyFields } from '../../../src/company/company-fields.rules.js';
import { type FieldTable, pathsOf } from '../../../src/fields/fields.rules.js';
import { nodeId } from '../../../src/fields/row.rules.js';
import { jobFields } from '../../../src/job/job-fields.rules.js';
import { type Operation, operations, type RootField } from '../../../src/operations.js';
import { type TestGateway } from '../../support/gateway.js';
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

const authorityOf = (field: RootField): Pick<Row, 'scopes' | 'needsRole'> => {
  const { scopes, roles }: Operation = operations[field];
  return { scopes: scopes ?? [], needsRole: roles !== null };
};
const absentCompany = { record: 'absent company-not-found', company: 'absent company-not-found' };
const absentJob = { record: 'absent job-not-found', company: 'absent company-not-found' };
/** The public id of an absent job names no media, so nobody reaches the job. */
const nobodysAbsentJob = { record: 'refused', company: 'refused' };

const query =
  (text: string, path: string[], variablesOf: (place: Place) => Record<string, unknown>) =>
  async (gateway: TestGateway, place: Place, token: string | undefined): Promise<Outcome> =>
    graphqlOutcome(await graphql(gateway, text, variablesOf(place), { token }), path);

const jobNames: [string, (keyof Place)[], NonNullable<Row['absent']>][] = [
  ['', ['media', 'employer'], absentJob],
  [', by its media', ['media'], { ...absentJob, company: absentJob.record }],
  [', by its company', ['employer'], nobodysAbsentJob],
  [', by itself', [], nobodysAbsentJob],
];

const companyVariables = ({ media, company }: Place) => ({ media, company });
const jobVariables = ({ job }: Place) => ({ job });
const company = (selection: string) =>
  `query ($media: String!, $company: String!) { company(mediaPublicId: $media, publicId: $company) { ${selection} } }`;
const job = (selection: string) => `query ($job: String!) { job(publicId: $job) { ${selection} } }`;

const placeless = (field: RootField, text: string): Row => ({
  call: query(text, [field], () => ({})),
  ...authorityOf(field),
  isPlaceless: true,
});
const ofMedia = (field: RootField): Row => ({
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

/** Callers who may read a record but not update it do not see its lists of e-mail addresses (Contract 5.8). */
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

const nodes: [RootField, Partial<Row>, (place: Place) => string][] = [
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

/** The access matrix (Contract 5.2). */
export const rows: Record<string, Row> = {
  'Query.viewer': placeless('viewer', '{ viewer { subject } }'),
  'Query.errors': placeless('errors', '{ errors { error } }'),
  'Query.references': placeless('references', '{ references(kind: size) { publicId } }'),
  'Query.media': placeless('media', '{ media { edges { node { publicId } } } }'),
  'Query.companies': ofMedia('companies'),
  'Query.changes': ofMedia('changes'),
  'Query.jobs': ofMedia('jobs'),
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
  'Mutation.updateCompany': {
    call: query(
      'mutation ($media: String!, $company: String!) { updateCompany(input: { mediaPublicId: $media, companyPublicId: $company }) { company { publicId } } }',
      ['updateCompany'],
      companyVariables,
    ),
    ...authorityOf('updateCompany'),
    absent: absentCompany,
  },
  ...Object.fromEntries(
    jobNames.map(([name, named, absent]): [string, Row] => [
      `Mutation.updateJob${name}`,
      {
        call: query(
          'mutation ($input: UpdateJobInput!) { updateJob(input: $input) { job { publicId } } }',
          ['updateJob'],
          ({ media, employer, job }) => ({
            input: {
              jobPublicId: job,
              ...(named.includes('media') && { mediaPublicId: media }),
              ...(named.includes('employer') && { companyPublicId: employer }),
            },
          }),
        ),
        ...authorityOf('updateJob'),
        absent,
      },
    ]),
  ),
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
  ...restRead('/jobs/:jobPublicId', ({ job }) => `/jobs/${job}`, {
    ...authorityOf('job'),
    absent: nobodysAbsentJob,
  }),
  ...restRead('/references/:kind', () => '/references/size', {
    ...authorityOf('references'),
    isPlaceless: true,
  }),
  ...Object.fromEntries(
    ['PATCH', 'POST'].map((method): [string, Row] => [
      `${method} /companies`,
      {
        call: async (gateway, { media, company }, token) => {
          const form = { media_public_id: media, company_public_id: company };
          return restOutcome(await rest(gateway, method, '/companies', { form }, { token }));
        },
        ...authorityOf('updateCompany'),
        absent: absentCompany,
      },
    ]),
  ),
  ...Object.fromEntries(
    ['POST', 'PATCH'].flatMap((method) =>
      // PATCH shares its handler with POST, so it is tried only with media and company.
      (method === 'POST' ? jobNames : jobNames.slice(0, 1)).map(([name, named, absent]): [string, Row] => [
        `${method} /jobs/:jobPublicId${name}`,
        {
          call: async (gateway, { job, media, employer }, token) => {
            const form = {
              ...(named.includes('media') && { media_public_id: media }),
              ...(named.includes('employer') && { company_public_id: employer }),
            };
            return restOutcome(await rest(gateway, method, `/jobs/${job}`, { form }, { token }));
          },
          ...authorityOf('updateJob'),
          absent,
        },
      ]),
    ),
  ),
};
