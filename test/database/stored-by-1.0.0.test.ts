import { beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { getNamedType, type GraphQLOutputType, isObjectType } from 'graphql';
import { mongo } from 'mongoose';
import { type CompanyRecord } from '../../src/company/company.model.js';
import { buildSchema } from '../../src/graphql/schema.js';
import { type JobRecord } from '../../src/job/job.model.js';
import { ownGateway } from '../support/own-gateway.js';
import { graphql, rest } from '../support/requests.js';

// Written by 1.0.0 itself. Who makes a test here fail has added a field that the records of every installation lack, and that
// no reader may take for granted: after the upgrade, each of them would be answered with 500.
const file = new URL('stored-by-1.0.0.json', import.meta.url);
const stored = mongo.BSON.EJSON.parse(readFileSync(file, 'utf8')) as {
  company: CompanyRecord;
  job: JobRecord;
};
const { company, job } = stored;
const media = job.media;

const gateway = ownGateway();
let token: string;
beforeAll(async () => {
  token = await gateway.token();
  await gateway.models.companies.collection.replaceOne({ publicId: company.publicId }, company);
  await gateway.models.jobs.collection.replaceOne({ publicId: job.publicId }, job);
});

/** Everything that the schema has of a type. */
function allOf(output: GraphQLOutputType): string {
  const type = getNamedType(output);
  if (!isObjectType(type)) return '';
  return `{ ${Object.values(type.getFields())
    .map((field) => `${field.name} ${allOf(field.type)}`)
    .join(' ')} }`;
}
const queries = buildSchema().getQueryType()!.getFields();

describe('a record that 1.0.0 stored is read whole (Contract 11.11)', () => {
  it.each([
    ['company', `(mediaPublicId: "${media}", publicId: "${company.publicId}")`],
    ['job', `(publicId: "${job.publicId}")`],
  ])('a %s over GraphQL', async (name, given) => {
    const { body } = await graphql(
      gateway,
      `{ ${name}${given} ${allOf(queries[name]!.type)} }`,
      {},
      { token },
    );
    expect((body.errors ?? []).map(({ path, message }) => [path?.join('.'), message])).toEqual([]);
    expect(body.data?.[name]).toMatchObject({
      publicId: stored[name as keyof typeof stored].publicId,
      version: 2,
    });
  });

  it.each([
    ['company', `/companies?media-public-id=${media}&company-public-id=${company.publicId}`],
    ['job', `/jobs/${job.publicId}`],
  ])('a %s over REST', async (_name, path) => {
    expect(await rest(gateway, 'GET', path, undefined, { token })).toMatchObject({ status: 200 });
  });
});
