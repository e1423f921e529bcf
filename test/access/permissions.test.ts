import { describe, expect, it } from '@jest/globals';
import { buildSchema, extendSchema, type GraphQLObjectType, type GraphQLSchema, parse } from 'graphql';
import { applyMiddlewareToDeclaredResolvers } from 'graphql-middleware';
import { readFileSync } from 'node:fs';
import { type Caller, roles, type Scope, scopes } from '../../src/access/caller.js';
import { guardFields, permissions } from '../../src/access/permissions.js';
import { companyFields } from '../../src/company/company-fields.rules.js';
import { type FieldTable, pathsOf } from '../../src/content/fields.rules.js';
import { DomainError } from '../../src/errors/domain-error.js';
import { jobFields } from '../../src/job/job-fields.rules.js';

const sdl = readFileSync(new URL('../../schema/schema.graphql', import.meta.url), 'utf8');

/** The media that the rules have looked up. */
const lookedUp: string[] = [];

/**
 * The schema with a resolver for each guarded place, which answers `shown`.
 * @param reachesCompanies whether the caller reaches a company of the media `m`, the only one that there is
 */
function guarded(reachesCompanies: boolean): GraphQLSchema {
  const schema = extendSchema(buildSchema(sdl), parse('extend type Query { added: String }'));
  const guards = permissions(
    { find: async (publicId) => (lookedUp.push(publicId), publicId === 'm' ? {} : null) },
    { hasAnyWithinReach: async () => reachesCompanies },
  );
  const places = [...operations, 'Query.added', 'Company.history', 'Job.history'];
  for (const place of places) fieldOf(schema, place).resolve = () => 'shown';
  return guardFields(applyMiddlewareToDeclaredResolvers(schema, guards));
}

const fieldOf = (schema: GraphQLSchema, place: string) => {
  const [type = '', name = ''] = place.split('.');
  const field = (schema.getType(type) as GraphQLObjectType).getFields()[name];
  if (!field) throw new Error(`there is no ${place}`);
  return field;
};

/** Each operation: the scopes of which a caller must have one, whether it needs a role, and whether it names a media. */
const demands = {
  'Query.viewer': { scopes: [], needsRole: false, namesMedia: false },
  'Query.errors': { scopes: [], needsRole: false, namesMedia: false },
  'Query.references': { scopes: [...scopes], needsRole: false, namesMedia: false },
  'Query.company': { scopes: ['r_companies', 'r_w_companies'], needsRole: true, namesMedia: true },
  'Query.companies': { scopes: ['r_companies', 'r_w_companies'], needsRole: true, namesMedia: true },
  'Query.jobs': { scopes: ['r_jobs', 'r_w_jobs'], needsRole: true, namesMedia: true },
  'Query.job': { scopes: ['r_jobs', 'r_w_jobs'], needsRole: true, namesMedia: false },
  'Mutation.updateCompany': { scopes: ['r_w_companies'], needsRole: true, namesMedia: true },
  'Mutation.updateJob': { scopes: ['r_w_jobs'], needsRole: true, namesMedia: true },
} as const;
const operations = Object.keys(demands) as (keyof typeof demands)[];

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

/** What a place answers: `shown`, or its refusal. */
async function ask(
  place: string,
  { caller = {}, args = { mediaPublicId: 'm' }, context = {}, reachesCompanies = false }: Call = {},
) {
  const { resolve } = fieldOf(reachesCompanies ? reaching : unreaching, place);
  const whole = {
    caller: caller && { ...admin, ...caller },
    buckets: new Map(),
    readFaults: [],
    unknownFields: [],
    countFailure: () => null,
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
const without = (challenge: object) => ({ ...refused, challenge });

it('a resolver without a rule is denied, whoever adds it (Contract 5.2.3)', async () => {
  expect(await ask('Query.added')).toEqual(refused);
});

describe.each(operations)('%s (Contract 5.2, 5.4)', (operation) => {
  const { scopes: accepted, needsRole, namesMedia } = demands[operation];

  it('needs a token', async () => {
    expect(await ask(operation, { caller: null })).toEqual(without({ reason: 'no-token' }));
  });

  it.each(scopes)('with the scope %s alone is open only if that is one of its own', async (scope) => {
    const isOpen = accepted.length === 0 || (accepted as readonly string[]).includes(scope);
    expect(await ask(operation, { caller: { scopes: new Set([scope]) } })).toEqual(
      isOpen ? 'shown' : without({ reason: 'insufficient-scope', scope: accepted[0] }),
    );
  });

  it('needs a role where it is about records', async () => {
    expect(await ask(operation, { caller: { roles: new Set() } })).toEqual(needsRole ? refused : 'shown');
  });

  it('is refused for a media out of reach, and for one that is not there, alike (Contract 5.7)', async () => {
    const expected = namesMedia ? refused : 'shown';
    for (const mediaPublicId of ['other', 'absent', '']) {
      expect(await ask(operation, { args: { mediaPublicId } })).toEqual(expected);
      const isNamed = mediaPublicId !== '';
      expect(await ask(operation, { args: { input: { mediaPublicId } } })).toEqual(
        isNamed ? expected : 'shown',
      );
    }
    expect(await ask(operation, { args: {} })).toEqual(expected);
    // What the request lacks is told with its other faults.
    expect(await ask(operation, { args: {}, context: { readFaults: ['a fault'] } })).toBe('shown');
    expect(
      await ask(operation, { args: { mediaPublicId: 'other' }, context: { readFaults: ['a fault'] } }),
    ).toEqual(expected);
  });

  it('looks a media up only for a caller who acts in it', async () => {
    lookedUp.length = 0;
    await ask(operation, { args: { mediaPublicId: 'other' } });
    expect(lookedUp).toEqual([]);
    await ask(operation);
    expect(lookedUp).toEqual(namesMedia ? ['m'] : []);
  });

  it('is open to a brand only where it has a company (Contract 5.6)', async () => {
    const caller = { roles: new Set(['brand_admin'] as const) };
    expect(await ask(operation, { caller })).toEqual(namesMedia ? refused : 'shown');
    expect(await ask(operation, { caller, reachesCompanies: true })).toBe('shown');
  });

  it.each(roles)('is open to a %s', async (role) => {
    const caller = { roles: new Set([role]) };
    expect(await ask(operation, { caller, reachesCompanies: true })).toBe('shown');
  });
});

it('a guard of a field that the schema lacks ends the start: it would guard nothing', () => {
  expect(() =>
    guardFields(buildSchema('type Query { job: Job } type Job { managerEmails: [String] }')),
  ).toThrow('there is no field Job.recruiterEmails to guard');
});

it.each(['Company.history', 'Job.history'])('%s needs a token, and nothing besides', async (place) => {
  expect(await ask(place, { caller: null })).toEqual(without({ reason: 'no-token' }));
  expect(await ask(place, { caller: { roles: new Set(), scopes: new Set() } })).toBe('shown');
});

const emailLists = (type: string, fields: FieldTable, reading: Scope, updating: Scope) =>
  pathsOf(fields, 'emails').map((path) => [`${type}.${path}`, reading, updating] as const);

it.each([
  ...emailLists('Company', companyFields, 'r_companies', 'r_w_companies'),
  ...emailLists('Job', jobFields, 'r_jobs', 'r_w_jobs'),
])(
  '%s is withheld from those who may read its record, with %s, and not update it (Contract 5.8)',
  async (place, reading, updating) => {
    expect(await ask(place)).toBe('shown');
    expect(await ask(place, { caller: { roles: new Set() } })).toEqual(refused);
    expect(await ask(place, { caller: { scopes: new Set([reading]) } })).toEqual(
      without({ reason: 'insufficient-scope', scope: updating }),
    );
  },
);

describe('a refusal (Contract 8.3)', () => {
  const limited = new DomainError('rate-limit-exceeded');
  const countFailure = () => limited;

  it('of an operation counts, and may be one too many, whatever ran before it', async () => {
    const buckets = new Map([['read', {}]]);
    for (const context of [{ countFailure }, { countFailure, buckets }])
      expect(await ask('Query.jobs', { caller: null, context })).toEqual({ code: 'rate-limit-exceeded' });
  });

  it('for a media out of reach counts, too', async () => {
    expect(
      await ask('Query.jobs', { args: { mediaPublicId: 'other' }, context: { countFailure } }),
    ).toMatchObject({ code: 'rate-limit-exceeded' });
  });

  it('of a field of a record does not count, since the record has spent a unit', async () => {
    expect(await ask('Job.managerEmails', { caller: null, context: { countFailure } })).toMatchObject(
      refused,
    );
  });
});
