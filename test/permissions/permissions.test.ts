import { expect, it } from '@jest/globals';
import { filterSchema } from '@graphql-tools/utils';
import { buildSchema, extendSchema, type GraphQLObjectType, type GraphQLSchema, parse } from 'graphql';
import { readFileSync } from 'node:fs';
import { type Caller } from '../../src/tokens/caller.js';
import { authorize, requires } from '../../src/permissions/permissions.js';
import { type DomainError } from '../../src/errors/domain-error.js';
import { assertRowForEachField } from '../../src/graphql/schema.js';
import { withStages } from '../../src/graphql/with-stages.js';
import { OperationCost, RequestWork } from '../../src/permissions/request-context.js';
import { type Operation, operations, scopes } from '../../src/operations.js';

const sdl = readFileSync(new URL('../../schema/schema.graphql', import.meta.url), 'utf8');

const lookedUp: string[] = [];
const assertOpen = () => undefined;

/** @param reachesCompanies whether the caller reaches a company of the only media, `m` */
function guarded(reachesCompanies: boolean): GraphQLSchema {
  const schema = extendSchema(buildSchema(sdl), parse('extend type Query { added: String }'));
  const authorized = authorize(
    schema,
    { assertOpen },
    { find: async (publicId) => (lookedUp.push(publicId), publicId === 'm' ? {} : null) },
    { hasAnyWithinReach: async () => reachesCompanies },
  );
  const places = ['Query.jobs', 'Query.added'];
  for (const place of places) fieldOf(schema, place).resolve = () => 'shown';
  // As the row of the field tells it.
  fieldOf(schema, 'Job.managerEmails').extensions = { for: 'updateJob' };
  return withStages(schema, {
    root: [authorized],
    directive: (unchanged) => unchanged,
    below: ({ extensions }) => (extensions?.for ? [requires('updateJob')] : []),
  });
}

const fieldOf = (schema: GraphQLSchema, place: string) => {
  const [type = '', name = ''] = place.split('.');
  const field = (schema.getType(type) as GraphQLObjectType).getFields()[name];
  if (!field) throw new Error(`there is no ${place}`);
  return field;
};

const admin: Caller = {
  subject: 'me',
  roles: new Set(['media_admin']),
  scopes: new Set(scopes),
  media: new Set(['m', 'absent']),
  brand: 'b',
  expiresAt: new Date(0),
};

const [reaching, unreaching] = [guarded(true), guarded(false)];

interface Call {
  caller?: Partial<Caller> | null;
  args?: Record<string, unknown>;
  context?: Record<string, unknown>;
  reachesCompanies?: boolean;
}

async function ask(
  place: string,
  { caller = {}, args = { mediaPublicId: 'm' }, context = {}, reachesCompanies = false }: Call = {},
) {
  const { resolve } = fieldOf(reachesCompanies ? reaching : unreaching, place);
  const whole = {
    caller: caller && { ...admin, ...caller },
    work: new RequestWork(),
    cost: new OperationCost(),
    unknownFields: [],
    ...context,
  };
  const [parentType = '', fieldName = ''] = place.split('.');
  const info = { fieldName, parentType: { name: parentType }, path: { key: fieldName } };
  try {
    return await resolve?.({ [fieldName]: 'shown' }, args, whole, info as never);
  } catch (error) {
    const { code, details } = error as DomainError;
    return { code, ...details };
  }
}

const refused = { code: 'unauthorized-limitation' };

it('a resolver without a rule is refused (Contract 3.2.2)', async () => {
  expect(await ask('Query.added')).toEqual({ ...refused, lack: { reason: 'out_of_reach' }, isFailure: true });
});

const allButJobs = filterSchema({ schema: buildSchema(sdl), rootFieldFilter: (_, name) => name !== 'jobs' });

const jobsField = 'query jobs(mediaPublicId)';

it.each([
  ['a root field without a row', 'extend type Mutation { added: String }', 'field mutation added()'],
  ['a row without a field', '', `row ${jobsField}`],
  [
    'a field with an idempotency key that its row does not allow',
    'extend type Query { jobs(mediaPublicId: String, idempotencyKey: String): String }',
    `field query jobs(mediaPublicId, idempotencyKey), row ${jobsField}`,
  ],
  [
    'a field without the media argument that its row checks',
    'extend type Query { jobs(input: Jobs): String } input Jobs { first: Int }',
    `field query jobs(), row ${jobsField}`,
  ],
])('%s stops the start with an error that names it (Contract 3.2.2)', (_fault, addition, named) => {
  expect(() => assertRowForEachField(buildSchema(sdl))).not.toThrow();
  const schema = addition.includes('added') ? buildSchema(sdl) : allButJobs;
  expect(() => assertRowForEachField(addition ? extendSchema(schema, parse(addition)) : schema)).toThrow(
    `${named}: a root field needs a row`,
  );
});

it.each(Object.entries<Operation>(operations))(
  'the row of %s has the scopes, roles and quota that a query or a mutation needs (Contract 3.2.1)',
  (_field, { type, roles: ofRow, scopes: accepted, bucket }) => {
    if (type === 'query') {
      expect(bucket).toBe('read');
      // Callers who may update may also read.
      for (const scope of accepted ?? []) expect(accepted).toContain(scope.replace(/^r_(w_)?/, 'r_w_'));
    } else {
      expect(ofRow).not.toBeNull();
      expect(accepted?.filter((scope) => !scope.startsWith('r_w_'))).toEqual([]);
      expect(bucket).not.toBe('read');
    }
  },
);
