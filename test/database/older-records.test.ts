import { beforeAll, describe, expect, it } from '@jest/globals';
import { type GraphQLObjectType } from 'graphql';
import { Types } from 'mongoose';
import { companyRows } from '../../src/company/company-fields.rules.js';
import { blankCompany } from '../../src/company/company.record.js';
import { companyIndexes } from '../../src/company/company.mongoose.js';
import { isPlainObject } from '../../src/database/readable-records.js';
import { nodeId, type Rows } from '../../src/fields/row.rules.js';
import { buildSchema } from '../../src/graphql/schema.js';
import { jobRows } from '../../src/job/job-fields.rules.js';
import { blankJob } from '../../src/job/job.record.js';
import { jobIndexes } from '../../src/job/job.mongoose.js';
import { nameKey } from '../../src/text/name-key.rules.js';
import { commandsOn } from '../support/commands.js';
import { everything } from '../support/everything.js';
import { ownGateway } from '../support/own-gateway.js';
import { dataOf } from '../support/requests.js';

const gateway = ownGateway({ ARCHIVER: 'off', GRAPHQL_MAX_COMPLEXITY: '1000000' });
const media = 'demo-media';
let token: string;
const ask = <Data>(query: string, variables = {}) => dataOf<Data>(gateway, query, variables, { token });
const all = (type: string) => everything(buildSchema().getType(type) as GraphQLObjectType);

/** A field that lists compare in the database would need a conversion, unless its default is null. */
const compared = [...jobIndexes, ...companyIndexes].flatMap(({ key }) =>
  Object.keys(key).map((path) => path.split('.')[0]),
);

const optionalPaths = (blank: object): string[] =>
  Object.entries(blank).flatMap(([key, value]) => {
    if (compared.includes(key) && value !== null) return [];
    return [key, ...(isPlainObject(value) ? Object.keys(value).map((part) => `${key}.${part}`) : [])];
  });
const paths = { jobs: optionalPaths(blankJob), companies: optionalPaths(blankCompany) };

const created = new Date('2026-01-01');
const record = (publicId: string) => ({
  _id: new Types.ObjectId(),
  ...{ publicId, name: publicId, nameKey: nameKey(publicId), createdBy: 'tester' },
  ...{ version: 1, updatedAt: created, changedAt: created, pendingHistory: [] },
});
const memberships = [{ media, isPublished: true, isVmePagePublished: false }];
const olderCompany = (publicId: string) => ({ ...blankCompany, ...record(publicId), memberships });
const olderJob = (publicId: string, companyPublicId: string) => ({
  ...{ ...blankJob, ...record(publicId), media, company: companyPublicId },
  ...{ isCompanyInMedia: true, companyVersion: 1 },
});
const companies = ['whole', ...paths.companies].map((path) => `company-without-${path}`);
const jobs = paths.jobs.map((path) => `job-without-${path}`);
const employed = companies.map((publicId) => `job-of-${publicId}`);

/** A job without each path, and a job of a company without each path. */
const storedJobs = [
  ...jobs.map((publicId) => olderJob(publicId, companies[0]!)),
  ...employed.map((publicId, index) => olderJob(publicId, companies[index]!)),
];

interface Connection {
  page: { edges: { node: object }[]; pageInfo: { hasNextPage: boolean; endCursor: string } };
}

async function listed(field: string, node: string): Promise<object[]> {
  const found: object[] = [];
  for (let after = ''; ;) {
    const { page } = await ask<Connection>(
      `{ page: ${field}(mediaPublicId: "${media}", first: 50, after: "${after}") {
        edges { node { ${node} } } pageInfo { hasNextPage endCursor } } }`,
    );
    found.push(...page.edges.map((edge) => edge.node));
    if (!page.pageInfo.hasNextPage) return found;
    after = page.pageInfo.endCursor;
  }
}

const nodes = (type: string, ids: readonly string[]) =>
  ask(
    'query ($ids: [ID!]!) { nodes(ids: $ids) { ... on TYPE { FIELDS } } }'
      .replace('TYPE', type)
      .replace('FIELDS', all(type)),
    { ids },
  );

/** One query for each public id. */
const each = (publicIds: readonly string[], query: string) =>
  Promise.all(publicIds.map((publicId) => ask(query, { publicId })));

const allJobs = [...jobs, ...employed];
const reads: Record<string, () => Promise<unknown>> = {
  'the list of jobs': () => listed('jobs', all('Job')),
  'the list of companies': () => listed('companies', all('Company')),
  'nodes of jobs': () =>
    nodes(
      'Job',
      allJobs.map((publicId) => nodeId('Job', publicId)),
    ),
  'nodes of companies': () =>
    nodes(
      'Company',
      companies.map((publicId) => nodeId('Company', media, publicId)),
    ),
  job: () => each(allJobs, `query ($publicId: String!) { job(publicId: $publicId) { ${all('Job')} } }`),
  company: () =>
    each(
      companies,
      `query ($publicId: String!) { company(mediaPublicId: "${media}", publicId: $publicId) { ${all('Company')} } }`,
    ),
  changes: () => listed('changes', all('Change')),
  'an export': async () => (await commandsOn(gateway.settings.mongodbUri ?? '').exportAll()).stdout,
  'an update of a job that sends its defaults': () =>
    each(
      allJobs,
      `mutation ($publicId: String!) { updateJob(dryRun: true, input: {
        jobPublicId: $publicId, applicationMethod: internal_apply, managerEmails: []
      }) { job { ${all('Job')} } } }`,
    ),
  'an update of a company that sends its defaults': () =>
    each(
      companies,
      `mutation ($publicId: String!) { updateCompany(dryRun: true, input: {
        mediaPublicId: "${media}", companyPublicId: $publicId, sectorIds: [], description: null
      }) { company { ${all('Company')} } } }`,
    ),
};

describe('a job or company from before one of its fields', () => {
  const before: Record<string, unknown> = {};
  beforeAll(async () => {
    token = await gateway.token();
    const { models } = gateway;
    const stored = { jobs: storedJobs, companies: companies.map(olderCompany) };
    for (const name of ['jobs', 'companies'] as const) {
      await models[name].collection.deleteMany({});
      await models[name].collection.insertMany(stored[name]);
    }
    for (const [name, read] of Object.entries(reads)) before[name] = await read();
    for (const name of ['jobs', 'companies'] as const)
      for (const path of paths[name]) {
        const publicId = `${name === 'jobs' ? 'job' : 'company'}-without-${path}`;
        const { modifiedCount } = await models[name].collection.updateOne(
          { publicId },
          { $unset: { [path]: '' } },
        );
        expect([path, modifiedCount]).toEqual([path, 1]);
      }
  });

  it.each(Object.keys(reads))('has the default of the field in %s', async (name) => {
    const after = await reads[name]!();
    expect(after).toEqual(before[name]);
  });

  it('is unchanged by the import of its export', async () => {
    const { exportAll, importFiles } = commandsOn(gateway.settings.mongodbUri ?? '');
    const { stdout } = await importFiles(['--dry-run', '-'], (await exportAll()).stdout);
    expect(stdout).toMatch(/0 inserted, 0 changed, \d+ unchanged, 0 faulty/);
  });
});

/** The fields that show only these paths and references, with the objects around them. */
const fieldsAt = (rows: Rows, optional: readonly string[]): string[] =>
  Object.entries(rows).flatMap(([name, { needs = {}, show, of }]) => {
    const needed = Object.values(needs).flat();
    if (show) return needed.length > 0 && needed.every((path) => optional.includes(path)) ? [name] : [];
    return of ? fieldsAt(of, optional).map((below) => `${name}.${below}`) : [];
  });

describe('the stored answer of a repeated call', () => {
  it.each([
    ['updateJob', 'job', 'Job', jobRows, 'jobPublicId'],
    ['updateCompany', 'company', 'Company', companyRows, `mediaPublicId: "${media}", companyPublicId`],
  ])(
    'of %s has the default of each field that is newer (Contract 6.2.1)',
    async (field, shown, type, rows, id) => {
      const fields = fieldsAt(rows, [...paths.jobs, ...paths.companies, 'snapshot']);
      expect(fields.length).toBeGreaterThan(5);
      const publicId = field === 'updateJob' ? employed[0] : companies[0];
      const { collection } = gateway.models.idempotency;
      const call = (key: string) =>
        ask(
          `mutation { ${field}(idempotencyKey: "${key}", input: { ${id}: "${publicId}" }) { ${shown} { ${all(type)} } } }`,
        );
      const first: unknown[] = [];
      for (const path of fields) {
        first.push(await call(path));
        const older = { $unset: { [`payload.${shown}.${path}`]: '' }, $set: { older: true } };
        expect(await collection.updateMany({ older: null }, older)).toMatchObject({
          modifiedCount: 1,
        });
      }
      const again: unknown[] = [];
      for (const path of fields) again.push(await call(path));
      expect(again).toEqual(first);
    },
  );
});
