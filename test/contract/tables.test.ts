import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { getNamedType, isInputObjectType, isNonNullType, isObjectType } from 'graphql';
import { decodeJwt } from 'jose';
import { type Schema } from 'mongoose';
import { type Caller } from '../../src/tokens/caller.js';
import { buckets, roles, scopes } from '../../src/operations.js';
import { ourClaims } from '../../src/tokens/providers.js';
import { callerFromClaims } from '../../src/tokens/token-claims.js';
import { runTokenCommand } from '../../src/cli/token.js';
import { companyFields } from '../../src/company/company-fields.rules.js';
import { companySchema } from '../../src/company/company.mongoose.js';
import { type Language, languages } from '../../src/errors/catalogue.js';
import { snakeCase } from '../../src/errors/snake-case.js';
import { buildSchema } from '../../src/graphql/schema.js';
import { jobFields } from '../../src/job/job-fields.rules.js';
import { jobSchema } from '../../src/job/job.mongoose.js';
import { referenceKinds } from '../../src/fields/reference-snapshot.js';
import { documentedReplies, type Key } from '../../src/rest/envelope.js';
import { queryParameters } from '../../src/rest/query-parameter.js';
import { maximumOf } from './parity/table-fields.js';
import { contract, statement } from '../support/contract-text.js';
import { ownFolder } from '../support/own-folder.js';

const graphql = buildSchema();
const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
const dataDir = ownFolder();
const schemas: Record<string, Schema> = { job: jobSchema as Schema, company: companySchema as Schema };

const resources = [
  {
    resource: 'job',
    type: 'Job',
    input: 'UpdateJobInput',
    fields: jobFields,
    statement: '5.4.2',
    documented: documentedReplies.updateJob.keys,
    // Paths that no caller may write.
    ofItsOwn:
      /^(_id|publicId|media|company|nameKey|office|publishedAt|createdBy|brand|isCompanyInMedia|archivedAt|companyVersion|creationCall|version|location|questions\b)/,
    // Record paths with a different GraphQL path.
    shownAs: {} as Record<string, string>,
    identifiers: ['mediaPublicId', 'companyPublicId', 'jobPublicId'],
  },
  {
    resource: 'company',
    type: 'Company',
    input: 'UpdateCompanyInput',
    fields: companyFields,
    statement: '5.2.2',
    documented: documentedReplies.updateCompany.keys,
    ofItsOwn:
      /^(_id|publicId|nameKey|domainKey|brand|memberships|offices|language|createdBy|version|reachVersion)\b/,
    shownAs: { description: 'content.description', logo: 'content.visual.logo' } as Record<string, string>,
    identifiers: ['mediaPublicId', 'companyPublicId', 'logo'],
  },
];
const kept = /^(updatedAt|changedAt|pendingHistory|keyedCalls|isSyncDue|syncMedia)\b/;

const namesOf = (keys: readonly Key[]): string[] =>
  keys.flatMap(({ as, keys: below }) => [as, ...(below ? namesOf(below) : [])]);

/** Whether the type has a field at this dotted path. */
function isShown(typeName: string, path: string): boolean {
  const [name = '', ...rest] = path.split('.');
  const type = graphql.getType(typeName);
  const field = isObjectType(type) ? type.getFields()[name] : undefined;
  return Boolean(field && (rest.length === 0 || isShown(getNamedType(field.type).name, rest.join('.'))));
}

it.each(roles)(
  'the role %s has a rule in the contract and a row in the README (Contract 3.2.1, 3.3)',
  (role) => {
    expect(readme).toContain(`| \`${role}\``);
    expect(contract.split('### 3.3 ')[1]).toContain(`A \`${role}\` acts`);
  },
);

it.each(scopes)('the scope %s is in the table of the contract (Contract 3.2.1)', (scope) => {
  expect(statement('3.2.1')).toContain(`\`${scope}\``);
});

it.each(referenceKinds)('some field takes references of the kind %s (Contract 2.3)', (kind) => {
  const fields = resources.flatMap((resource) => Object.values(resource.fields));
  expect(fields.map((field) => field.type.refersTo?.kind)).toContain(kind);
});

it.each([
  ['jobs', '4.4.2'],
  ['company', '4.4.3'],
] as const)('each query parameter of the read %s is in the contract (Contract %s)', (field, number) => {
  for (const { parameter } of queryParameters(graphql, field)) expect(statement(number)).toContain(parameter);
});

it('jobs have at most 15 indexes, and the handbook lists all of them (Contract 9.3.9)', () => {
  const handbook = readFileSync(new URL('../../deploy/README.md', import.meta.url), 'utf8');
  const indexes = jobSchema.indexes();
  expect(indexes.length).toBeLessThanOrEqual(15);
  expect(handbook.match(/^\| `jobs` \|/gm)).toHaveLength(indexes.length);
});

const languageNames: Record<Language, string> = { en: 'English', fr: 'French' };

it.each(languages)(
  'the language %s is named wherever the contract lists the languages (Contract 2.1.2, 2.3.4, 7.2.4)',
  (language) => {
    const name = languageNames[language];
    expect(statement('2.1.2')).toContain(`\`${language}\``);
    for (const number of ['2.3.4', '7.2.4']) expect(statement(number)).toContain(name);
  },
);

/** The claim of each property, and the argument of the `token` command that sets the claim. */
const claims: Record<keyof Caller, { claim: string; argument: string }> = {
  subject: { claim: 'sub', argument: '--sub=somebody' },
  roles: { claim: 'roles', argument: '--roles=brand_admin' },
  scopes: { claim: 'scope', argument: '--scope=r_jobs' },
  media: { claim: 'media', argument: '--media=demo-media' },
  brand: { claim: 'brand', argument: '--brand=acme-group' },
  expiresAt: { claim: 'exp', argument: '--expires=2h' },
};

describe.each(Object.entries(claims))('the %s of a caller', (name, { claim, argument }) => {
  it('is signed by the token command and read from the token (Contract 3.1.2)', async () => {
    const { stdout } = await runTokenCommand([argument], { DATA_DIR: dataDir });
    const signed = decodeJwt(stdout);
    expect(signed).toHaveProperty(claim);
    const without = callerFromClaims({ sub: 'developer', exp: 0 }, ourClaims);
    expect(callerFromClaims(signed, ourClaims)).not.toHaveProperty(name, without[name as keyof Caller]);
  });

  it('is shown by the query viewer, and its claim is in the contract (Contract 3.1.2)', () => {
    expect(isShown('Viewer', name)).toBe(true);
    expect(statement('3.1.2')).toContain(`\`${claim}\``);
  });
});

describe.each(resources)('the fields of a $resource', ({ resource, type, input, fields, ...more }) => {
  const inputType = graphql.getType(input);
  const inputFields = isInputObjectType(inputType) ? inputType.getFields() : {};
  const entries = Object.entries(fields);

  it('match its GraphQL input exactly (Contract 1.2)', () => {
    // The input nests the parts of an object in one field, and has a name of its own for a list.
    const names = entries.map(([name, field]) =>
      field.object ? field.object.path : (field.type.list?.name ?? name),
    );
    expect(Object.keys(inputFields).sort()).toEqual([...new Set([...more.identifiers, ...names])].sort());
    for (const name of names) {
      const given = inputFields[name]?.type;
      expect([name, isNonNullType(given)]).toEqual([name, false]);
      const nested = given && getNamedType(given);
      if (!isInputObjectType(nested)) continue;
      const parts = entries.flatMap(([, field]) =>
        field.object?.path === name ? [field.path.slice(name.length + 1)] : [],
      );
      expect(Object.keys(nested.getFields()).sort()).toEqual(parts.sort());
    }
  });

  it('cover exactly the paths of the record that callers may write (Contract 1.2)', () => {
    const paths = Object.keys(schemas[resource]?.paths ?? {}).filter(
      (path) => !kept.test(path) && !more.ofItsOwn.test(path),
    );
    const written = entries.map(([, field]) => (field.object ? field.object.path : field.path));
    expect([...new Set(written)].sort()).toEqual(paths.sort());
  });

  it('can all be read over GraphQL (Contract 1.1)', () => {
    const hidden = entries.filter(([, { path }]) => !isShown(type, more.shownAs[path] ?? path));
    expect(hidden.map(([name]) => name)).toEqual([]);
  });

  it('are selected by their update operation', () => {
    const operation = readFileSync(
      new URL(`../../schema/operations/update-${resource}.graphql`, import.meta.url),
      'utf8',
    );
    const unasked = entries.filter(([, { path }]) =>
      (more.shownAs[path] ?? path).split('.').some((key) => !new RegExp(`\\b${key}\\b`).test(operation)),
    );
    expect(unasked.map(([name]) => name)).toEqual([]);
  });

  it('have their limits in the contract, not in their descriptions (Contract 5.2.2, 5.4.2)', () => {
    const rows = [...statement(more.statement).matchAll(/^\| (.+?) +\| .+ \| (?:each amount )?(\d[\d ]*)/gm)];
    const boundOf = (name: string) => rows.find(([, names = '']) => names.includes(`\`${name}\``))?.[2];
    const bounded = entries.filter(([, { type }]) => maximumOf(type) !== undefined);
    expect(bounded.length).toBeGreaterThan(3);
    for (const [name, { type, description }] of bounded) {
      const documented = boundOf(snakeCase(name))?.replaceAll(' ', '');
      expect([name, documented]).toEqual([name, String(maximumOf(type))]);
      expect([name, description]).toEqual([name, expect.not.stringContaining(String(maximumOf(type)))]);
    }
  });

  it('are in the contract by their documented names', () => {
    const table = statement(more.statement);
    const missing = Object.keys(fields).filter((name) => !table.includes(`\`${snakeCase(name)}\``));
    expect(missing).toEqual([]);
    const replies = contract.slice(contract.indexOf('### 2.1'), contract.indexOf('### 2.3'));
    expect(namesOf(more.documented).filter((key) => !new RegExp(`[\`.]${key}\\b`).test(replies))).toEqual([]);
  });
});

it('a read of a job has exactly the further keys of the contract (Contract 4.4.1)', () => {
  const keysOf = (keys: readonly Key[]): string[] =>
    keys.flatMap(({ as, keys: below = [] }) => (as === '' ? keysOf(below) : [as]));
  const written = keysOf(documentedReplies.updateJob.keys);
  const further = keysOf(documentedReplies.job.keys).filter((key) => !written.includes(key));
  const [, named = ''] = statement('4.4.1').split('2.2.1 and');
  expect(further.sort()).toEqual(named.match(/\w+(?=`)/g)?.sort());
});

it('the contract has the default quotas (Contract 8.1.1)', () => {
  const [updates, others, reads] = [buckets.updateJob, buckets.mutation, buckets.read].map(
    ({ limit, durationSeconds }) => limit / durationSeconds,
  );
  const told = statement('8.1.1').match(/\d+(?= `updateJob`| other mutations)|\d+(?= units of reads)/g);
  expect(told).toEqual([updates, others, reads].map(String));
});
