import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { getNamedType, type GraphQLField, type GraphQLObjectType, isObjectType } from 'graphql';
import mongoose from 'mongoose';
import { demoData } from '../../src/demo/demo-data.js';
import { buildSchema } from '../../src/graphql/schema.js';
import { everything, isRecordList } from '../support/everything.js';
import { ownGateway } from '../support/own-gateway.js';
import { dataOf } from '../support/requests.js';
import { SentCommands } from '../support/sent-commands.js';

const sent = new SentCommands();
const schema = buildSchema();
// With a stopped clock, the caches of media and references never expire.
const now = new Date();
const gateway = ownGateway({ ARCHIVER: 'off' }, { clock: () => now, tracing: sent.tracing });
let token: string;

beforeAll(async () => {
  token = await gateway.token();
  await ask(`{ job(publicId: "${publicId}") { jobUrl contract { name } } }`);
});
beforeEach(async () => {
  await gateway.reset();
  sent.forget();
});

const publicId = 'acme-backend-engineer';
const ofJob = { mediaPublicId: 'demo-media', companyPublicId: 'acme', jobPublicId: publicId };
const ofCompany = { mediaPublicId: 'demo-media', companyPublicId: 'acme' };
const updateJob = (below: string) =>
  `mutation ($input: UpdateJobInput!, $key: String) { updateJob(input: $input, idempotencyKey: $key) { ${below} } }`;

const ask = <Data = Record<string, unknown>>(query: string, variables = {}) =>
  dataOf<Data>(gateway, query, variables, { token });

interface Stage {
  $project?: object;
}
/** A single job is read by a pipeline, a page by a find. */
const projection = () => {
  const { pipeline = [], projection } = sent.to('jobs').at(-1) as { pipeline?: Stage[]; projection?: object };
  return projection ?? pipeline.find(({ $project }) => $project)?.$project;
};

async function addJobs(count: number, changed: (index: number) => object = () => ({})): Promise<void> {
  const [pattern] = demoData(new Date()).jobs;
  await gateway.models.jobs.insertMany(
    Array.from({ length: count }, (_, index) => ({
      ...pattern,
      _id: new mongoose.Types.ObjectId(),
      publicId: `page-${String(index).padStart(3, '0')}`,
      ...changed(index),
    })),
  );
}

const typeOf = (name: string) => schema.getType(name) as GraphQLObjectType;

const ofEnd = { state: 1, expiresAt: 1 };
const ofReach = { media: 1, company: 1, createdBy: 1 };
const ofListed = { media: 1, company: 1 };

/** Without the commands on quotas. */
const commandsOnRecords = () => sent.names.filter((name) => !name.endsWith(' quotas'));

describe('a page of 50 jobs', () => {
  it('is one command, which fetches only the selected fields, and the fields needed for state, reach, order and cursor', async () => {
    await addJobs(60);
    const { jobs } = await ask<{ jobs: { edges: unknown[] } }>(
      '{ jobs(mediaPublicId: "demo-media", first: 50) { edges { cursor node { publicId name state } } } }',
    );
    expect(jobs.edges).toHaveLength(50);
    expect(projection()).toEqual({ _id: 0, publicId: 1, name: 1, ...ofEnd, ...ofListed });
    expect(commandsOnRecords()).toEqual(['find jobs']);
  });

  it('reads its companies with one command, each company once', async () => {
    await addJobs(60, (index) => ({ company: index % 2 ? 'acme' : 'globex' }));
    await ask(
      '{ jobs(mediaPublicId: "demo-media", first: 50) { edges { node { publicId company { name } } } } }',
    );
    expect(commandsOnRecords()).toEqual(['find jobs', 'find companies']);
    expect(sent.to('companies')).toMatchObject([{ filter: { publicId: { $in: ['acme', 'globex'] } } }]);
  });
});

describe('the fields that a read fetches', () => {
  it.each([
    [
      'a fragment',
      `{ job(publicId: "${publicId}") { ...F ... on Job { name } } } fragment F on Job { salary }`,
    ],
    ['aliases', `{ job(publicId: "${publicId}") { one: salary two: name three: name } }`],
    [
      '@skip and @include',
      `{ job(publicId: "${publicId}") { name salary version @skip(if: true)
        ... @include(if: false) { questions { questionId } } } }`,
    ],
    [
      'variables',
      `query ($no: Boolean = false) { job(publicId: "${publicId}") { name salary
        version @include(if: $no) ...F @include(if: $no) } } fragment F on Job { description { jobDesc } }`,
    ],
  ])('are the fields selected through %s', async (_, query) => {
    await ask(query);
    expect(projection()).toEqual({ _id: 0, name: 1, salary: 1, ...ofReach });
  });
});

describe('the fields that an update fetches', () => {
  it('leave out long texts that the update neither changes nor shows', async () => {
    const input = { ...ofJob, descriptionJob: '<p>New.</p>' };
    await ask(updateJob('job { description { profileDesc } }'), { input });
    const [{ pipeline } = { pipeline: [] }] = sent.to('jobs') as { pipeline: Stage[] }[];
    expect(Object.keys(pipeline.find(({ $project }) => $project)?.$project ?? {})).toEqual([
      'pendingHistory',
      'keyedCalls',
      'questions',
      'description.companyDesc',
      'description.benefitDesc',
      'description.processDesc',
    ]);
    // The write returns only the id: the answer has the fields read before, with the changes.
    expect(sent.to('jobs')[1]).toMatchObject({ fields: { _id: 1 } });
    sent.forget();
    const mutation =
      'mutation ($input: UpdateCompanyInput!) { updateCompany(input: $input) { company { name } } }';
    await ask(mutation, { input: { ...ofCompany, domainUrl: 'acme.example' } });
    expect(sent.to('companies')[0]).toMatchObject({
      projection: { pendingHistory: 0, keyedCalls: 0, offices: 0, description: 0 },
    });
  });

  it('include the old values for the history entry, whatever fields the update shows', async () => {
    const { job: before } = await ask<{ job: object }>(
      `{ job(publicId: "${publicId}") { description { jobDesc } } }`,
    );
    const input = { ...ofJob, descriptionJob: '<p>New.</p>', salary: '1 €' };
    await ask(updateJob('job { publicId }'), { input });
    const { job } = await ask<{ job: object }>(
      `{ job(publicId: "${publicId}") { history { edges { node { changes { field before after } } } } } }`,
    );
    expect(job).toMatchObject({
      history: {
        edges: [
          {
            node: {
              changes: [
                { field: 'salary', after: '1 €' },
                {
                  field: 'descriptionJob',
                  before: (before as { description: { jobDesc: string } }).description.jobDesc,
                  after: '<p>New.</p>',
                },
              ],
            },
          },
        ],
      },
    });
  });

  it('are enough if a repeated call with an idempotency key selects more fields', async () => {
    const variables = { input: { ...ofJob, salary: '2 €' }, key: randomUUID() };
    await ask(updateJob('job { publicId }'), variables);
    const whole = everything(typeOf('Job'));
    const repeated = await ask(updateJob(`job { ${whole} }`), variables);
    expect(repeated).toEqual({ updateJob: await ask(`{ job(publicId: "${publicId}") { ${whole} } }`) });
  });
});

describe.each([
  ['Job', `job(publicId: "${publicId}")`],
  ['Company', 'company(mediaPublicId: "demo-media", publicId: "acme")'],
])('each field of a %s', (name, root) => {
  it('has the same value selected alone or with all fields', async () => {
    const { it: whole } = await ask<{ it: Record<string, unknown> }>(
      `{ it: ${root} { ${everything(typeOf(name))} } }`,
    );
    const isCompared = (field: GraphQLField<unknown, unknown>) =>
      field.name !== 'history' && !isRecordList(field);
    for (const { name: field, type } of Object.values(typeOf(name).getFields()).filter(isCompared)) {
      const below = getNamedType(type);
      const parts = isObjectType(below)
        ? Object.values(below.getFields())
            .filter(isCompared)
            .map((each) => each.name)
        : [null];
      for (const part of parts) {
        const inner =
          part === null ? null : getNamedType((below as GraphQLObjectType).getFields()[part]!.type);
        const asked =
          part === null
            ? field
            : `${field} { ${part} ${isObjectType(inner) ? `{ ${everything(inner)} }` : ''} }`;
        const { it: shown } = await ask<{ it: object }>(`{ it: ${root} { ${asked} } }`);
        expect(whole).toMatchObject(shown);
      }
    }
  });
});

describe('a page of 100 records with every field but employer and questions (Contract 4.3.7, 8.2.1)', () => {
  const query = (
    field: string,
    type: string,
  ) => `query ($after: String) { list: ${field}(mediaPublicId: "demo-media", first: 100, after: $after) {
    edges { cursor node { ${everything(typeOf(type), ['history', 'employer', 'questions'])} } } pageInfo { hasNextPage endCursor } } }`;

  it('is within the default limits', async () => {
    await addJobs(100);
    const { list } = await ask<{ list: { edges: unknown[] } }>(query('jobs', 'Job'));
    expect(list.edges).toHaveLength(100);
    await ask(query('companies', 'Company'));
  });
});
