import { describe, expect, it } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import {
  type GraphQLScalarType,
  isEnumType,
  isInputObjectType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
  Kind,
  parse,
  print,
} from 'graphql';
import { readFileSync } from 'node:fs';
import { errorCodes, languages } from '../../src/errors/catalogue.js';
import { enumName } from '../../src/fields/field.graphql.js';
import { snakeCase, documentedPath } from '../../src/errors/snake-case.js';
import { warningMessages } from '../../src/fields/warning.js';
import { buildSchema, printSdl } from '../../src/graphql/schema.js';
import { jobStates, payPeriods } from '../../src/job/job-choices.rules.js';
import {
  buckets,
  type DocumentedField,
  documentedFields,
  type Operation as Row,
  operations as rowOf,
  roles,
  scopes,
} from '../../src/operations.js';
import { capitalised } from '../../src/rest/envelope.js';
import { printOpenApi } from '../../src/rest/openapi.js';
import { parseSettings } from '../../src/settings/settings.js';
import { assertDocumented } from '../support/documented-reply.js';
import { type TestGateway } from '../support/gateway.js';
import { ownGateway } from '../support/own-gateway.js';
import { readAnswer, readRequests } from './examples/http-message.js';
import { filledIn } from './examples/placeholders.js';
import { updateJob } from '../support/updates.js';

interface Described {
  description?: string;
  properties?: Record<string, Described>;
  items?: Described;
  anyOf?: { type: string }[];
}
interface BodyOfType {
  schema: Described;
  encoding?: object;
  example: Record<string, string>;
}
interface SchemaPart {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  pattern?: string;
  anyOf?: SchemaPart[];
}
interface Parameter {
  $ref?: string;
  name?: string;
  in?: string;
  style?: string;
  explode?: boolean;
  schema?: SchemaPart;
  example?: unknown;
}
interface Operation {
  operationId: string;
  description: string;
  security?: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, BodyOfType> };
  responses: Record<string, { description: string; content?: Record<string, { example?: unknown }> }>;
  'x-codeSamples'?: { lang: string; source: string }[];
}
interface Document {
  openapi: string;
  info: { description: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Described>; parameters: Record<string, Described & { in: string }> };
}

const committed = readFileSync(new URL('../../schema/openapi.json', import.meta.url), 'utf8');
const committedSdl = readFileSync(new URL('../../schema/schema.graphql', import.meta.url), 'utf8');
const document = JSON.parse(committed) as Document;
const schema = buildSchema();
const gateway = ownGateway({ UPDATE_JOB_QUOTA: '7/60s' });

const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item)
    .filter(([method]) => method !== 'parameters')
    .map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, path, method, operation })),
);
const rootFields: Record<string, DocumentedField> = Object.fromEntries(
  documentedFields.flatMap((field) => {
    const { methods, path } = rowOf[field].rest;
    return methods.map((method) => [`${method} ${documentedPath(path)}`, field]);
  }),
);
const updates = operations.filter(({ operation }) => operation.requestBody);
const reads = operations.filter(
  ({ name, operation }) => name.startsWith('GET') && operation.security?.length,
);

const snakeCases = (inputName: string): string[] => {
  const type = schema.getType(inputName);
  if (!isInputObjectType(type)) throw new Error(inputName);
  return Object.keys(type.getFields()).flatMap((name) =>
    // REST has flat fields for this object, and one text for this list (Contract 5.2.2, 5.8.1).
    name === 'salaryRange'
      ? ['salary_minimum', 'salary_maximum', 'salary_currency', 'salary_period']
      : name === 'sectorIds'
        ? ['sector_id']
        : name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  );
};

/** Every schema of a document or a part of it, with its place, and whether it is a choice of `anyOf`. */
function schemasIn(part: unknown, at = '#'): [at: string, schema: SchemaPart, isChoice: boolean][] {
  if (typeof part !== 'object' || part === null) return [];
  const isSchema = /\/(schema|items|schemas\/\w+|properties\/[\w-]+|(anyOf|oneOf)\/\d+)$/.test(at);
  const parts = Object.entries(part).filter(([key]) => !/^examples?$/.test(key));
  return [
    ...(isSchema ? [[at, part, /\/anyOf\/\d+$/.test(at)] as [string, SchemaPart, boolean]] : []),
    ...parts.flatMap(([key, below]) => schemasIn(below, `${at}/${key}`)),
  ];
}

function undescribed(name: string, { description, properties = {}, items }: Described): string[] {
  return [
    ...(description ? [] : [name]),
    ...Object.entries({ ...properties, ...items?.properties }).flatMap(([key, property]) =>
      '$ref' in property ? [] : undescribed(`${name}.${key}`, property),
    ),
  ];
}

describe('schema/openapi.json', () => {
  it('is what the code emits (Contract 1.4)', () => {
    expect(committed === printOpenApi()).toBe(true);
  });

  it('is a valid OpenAPI 3.1 document (Contract 1.4)', async () => {
    const result = await new Validator().validate(JSON.parse(committed) as Record<string, unknown>);
    expect(result).toEqual({ valid: true });
    expect(document.openapi).toMatch(/^3\.1\./);
  });

  it('has the documented operations with unique ids, and no version in a path (Contract 1.3)', () => {
    const open = ['/health', '/logos/{hash}', '/metrics', '/openapi.json', '/ready'];
    expect(operations.map(({ name }) => name).sort()).toEqual(
      [...Object.keys(rootFields), ...open.map((path) => `GET ${path}`)].sort(),
    );
    expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(operations.length);
    for (const { path } of operations) expect(path).not.toMatch(/\/v\d/);
  });

  it.each(errorCodes)('documents the error %s for some operation', (code) => {
    const replies = operations.flatMap(({ operation }) => Object.values(operation.responses));
    expect(replies.filter(({ description }) => description.includes(`\`${code}\``))).not.toEqual([]);
  });

  it('describes every field of every body and reply', () => {
    const bodies = updates.flatMap(({ name, operation }) =>
      Object.values(operation.requestBody?.content ?? {}).map(({ schema: body }) => undescribed(name, body)),
    );
    const components = Object.entries(document.components.schemas)
      .filter(([name]) => !name.endsWith('Envelope'))
      .map(([name, component]) => undescribed(name, component));
    expect([...bodies, ...components].flat()).toEqual([]);
  });

  it.each(updates)(
    'gives $name exactly the fields of its input that are not in its path, and a file only in multipart, the first type (Contract 1.4)',
    ({ name, path, operation }) => {
      const { content = {} } = operation.requestBody ?? {};
      const multipart = 'multipart/form-data';
      const fields = snakeCases(`${capitalised(rootFields[name]!)}Input`).filter(
        (field) => !path.includes(`{${field}}`),
      );
      expect(Object.keys(content)).toEqual([
        ...(fields.includes('logo') ? [multipart] : []),
        ...['application/json', 'application/x-www-form-urlencoded'],
      ]);
      for (const [type, { schema: body }] of Object.entries(content))
        expect(Object.keys(body.properties ?? {})).toEqual(
          fields.filter((field) => field !== 'logo' || type === multipart),
        );
    },
  );

  it.each([...updates, ...reads])(
    'gives $name a request and a reply from schema/examples (Contract 1.4)',
    ({ name, path, method, operation }) => {
      const field = snakeCase(rootFields[name]!).replaceAll('_', '-');
      const example = method === 'get' ? `get-${field}` : field;
      const file = (kind: string) =>
        new URL(`../../schema/examples/operations/${example}${kind}`, import.meta.url);
      const [sent] = readRequests(file('.http'), {});
      const fields = Object.fromEntries(new URLSearchParams(sent?.body?.toString()));
      for (const { example: body } of Object.values(operation.requestBody?.content ?? {}))
        expect(body).toEqual(fields);
      const { status, body } = readAnswer(file('.answer.http'));
      const shown = operation.responses[status]?.content?.['application/json']?.example;
      expect(shown).toEqual(filledIn(body, shown));
      const headers = new Headers({
        'x-request-id': 'a',
        etag: method === 'get' ? '"1-aaaaaaaaaaaaaaaa"' : '"1"',
        ...((path.includes('{job_public_id}') || (path === '/jobs' && method === 'post')) && {
          'job-state': 'published',
        }),
      });
      headers.set('content-type', 'application/json; charset=utf-8');
      assertDocumented({ method, path: path.replace(/\{\w+\}/, 'a') }, { status, headers, body: shown });
    },
  );

  const schemas = schemasIn(JSON.parse(committed));
  it.each<[string, (schema: SchemaPart, isChoice: boolean) => boolean]>([
    ['a pattern beside a format', ({ format, pattern }) => !!format && pattern !== undefined],
    ['an enum or a const without a type', (each) => !each.type && !!(each.enum ?? each.const)],
    ['null in an enum', (each) => each.enum?.includes(null) === true],
    ['two types besides null', ({ type }) => [type].flat().filter((each) => each !== 'null').length > 1],
    ['an enum as a choice of anyOf', ({ anyOf = [] }) => anyOf.some((each) => each.enum)],
    ['a type or null as a choice of anyOf', ({ type }, isChoice) => isChoice && Array.isArray(type)],
  ])('has no schema with %s: generators stop there or lose a part', (_, isAt) => {
    expect(schemas.length).toBeGreaterThan(500);
    expect(schemas.filter(([, schema, isChoice]) => isAt(schema, isChoice)).map(([at]) => at)).toEqual([]);
  });
});

describe('the running gateway', () => {
  it.each([
    ['openapi.json', 'application/json', committed],
    ['schema.graphql', 'text/plain', committedSdl],
  ])('serves schema/%s as %s without a token (Contract 1.4, 3.1.7)', async (name, type, text) => {
    const response = await fetch(`${gateway.url}/${name}`);
    expect(response.headers.get('content-type')).toBe(`${type}; charset=utf-8`);
    expect((await response.text()) === text).toBe(true);
  });

  it.each(['/health', '/ready', '/metrics', '/openapi.json', `/logos/${'0'.repeat(64)}`])(
    'answers GET %s as documented',
    async (path) => {
      const response = await fetch(gateway.url + path);
      const text = await response.text();
      const isJson = response.headers.get('content-type')?.startsWith('application/json');
      const body: unknown = isJson ? JSON.parse(text) : text;
      const { status, headers } = response;
      assertDocumented({ method: 'GET', path }, { status, headers, body });
      expect(headers.get('x-request-id')).not.toBeNull();
    },
  );

  it.each(operations)(
    'refuses a malformed URL and a Content-Encoding as documented for $name',
    async (operation) => {
      // Refused requests use up quota, so each operation has its own caller.
      const headers = { authorization: `Bearer ${await gateway.token({ sub: operation.name })}` };
      expect(await refusal(gateway, operation, '?a=%FF', headers)).toBe(400);
      expect(await refusal(gateway, operation, '', { ...headers, 'content-encoding': 'gzip' })).toBe(415);
    },
  );
});

/** Checks the refusal of a request against schema/openapi.json and returns its status. */
async function refusal(
  gateway: TestGateway,
  { path, method }: { path: string; method: string },
  query: string,
  given?: Record<string, string>,
): Promise<number> {
  const response = await fetch(gateway.url + path + query, {
    method: method.toUpperCase(),
    headers: given ?? {},
  });
  const { status, headers } = response;
  const body: unknown = await response.json();
  assertDocumented({ method: method.toUpperCase(), path }, { status, headers, body });
  return status;
}

interface Named {
  name: string;
  description?: string | null | undefined;
}

describe('schema/schema.graphql', () => {
  it('is what the code emits (Contract 4.1.3)', () => {
    expect(committedSdl === printSdl()).toBe(true);
  });

  it('describes every type, field, argument and enum value (Contract 4.1.3)', () => {
    const types = Object.values(buildSchema().getTypeMap()).filter(({ name }) => !name.startsWith('__'));
    const silent = types.flatMap((type) => {
      const named = (names: readonly Named[]) =>
        names.filter(({ description }) => !description).map(({ name }) => `${type.name}.${name}`);
      const outputs = isObjectType(type) ? Object.values(type.getFields()) : [];
      const inputs = isInputObjectType(type) ? Object.values(type.getFields()) : [];
      const values = isEnumType(type) ? type.getValues() : [];
      const fields: Named[] = [...outputs, ...inputs, ...values, ...outputs.flatMap(({ args }) => args)];
      return [...(type.description ? [] : [type.name]), ...named(fields)];
    });
    expect(silent).toEqual([]);
  });

  it('says where the format of each scalar is specified (Contract 4.1.3)', () => {
    const scalars = Object.values(buildSchema().getTypeMap()).filter(
      (type) => isScalarType(type) && !isSpecifiedScalarType(type),
    ) as GraphQLScalarType[];
    expect(scalars.map(({ name }) => name).sort()).toEqual(['DateTimeISO', 'Decimal', 'JSON', 'Upload']);
    for (const { specifiedByURL } of scalars) expect(specifiedByURL).toMatch(/^https:/);
    expect(committedSdl.match(/^scalar .* @specifiedBy\(url: /gm)).toHaveLength(scalars.length);
  });

  it('has the values of closed lists as enums (Contract 4.1.3)', () => {
    const types = buildSchema().getTypeMap();
    const valuesOf = (name: string) => {
      const type = types[name];
      return isEnumType(type) ? type.getValues().map(({ value }) => value as string) : [];
    };
    const sorted = (values: readonly string[]) => [...values].sort();
    for (const [name, values] of Object.entries({
      Role: roles,
      Scope: scopes,
      QuotaName: Object.keys(buckets),
      Language: languages,
      PayPeriod: payPeriods,
      JobState: jobStates,
      WarningCode: Object.keys(warningMessages),
      ErrorCode: errorCodes.map(enumName),
    }))
      expect([name, sorted(valuesOf(name))]).toEqual([name, sorted(values)]);
  });

  it('names the days of deprecation and removal in the reason of each deprecated part (Contract 1.3)', () => {
    const types = Object.values(buildSchema().getTypeMap());
    const parts = types.flatMap((type) => {
      const fields = isObjectType(type) ? Object.values(type.getFields()) : [];
      const inputs = isInputObjectType(type) ? Object.values(type.getFields()) : [];
      const values = isEnumType(type) ? type.getValues() : [];
      return [...fields, ...fields.flatMap(({ args }) => args), ...inputs, ...values];
    });
    expect(parts.length).toBeGreaterThan(100);
    const reasons = parts.flatMap(({ deprecationReason }) => deprecationReason ?? []);
    const dated = /Deprecated since \d{4}-\d\d-\d\d, gone on \d{4}-\d\d-\d\d\.$/;
    expect(reasons.filter((reason) => !dated.test(reason))).toEqual([]);
  });

  it('shows the default quotas, but the gateway applies its settings', async () => {
    const defaults = parseSettings({});
    const directive = ({ bucket }: Row) => {
      const { limit, durationSeconds } = defaults[`${bucket}Quota`];
      return `@rateLimit(limit: ${limit}, duration: ${durationSeconds})`;
    };
    const roots = parse(committedSdl).definitions.flatMap((definition) =>
      definition.kind === Kind.OBJECT_TYPE_DEFINITION && /^(Query|Mutation)$/.test(definition.name.value)
        ? (definition.fields ?? [])
        : [],
    );
    const shown = roots.map(({ name, directives }) => [name.value, directives?.map(print).join(' ')]);
    expect(Object.fromEntries(shown)).toEqual(
      Object.fromEntries(Object.entries(rowOf).map(([name, row]) => [name, directive(row)])),
    );

    const { headers } = await updateJob(gateway, {}, { token: await gateway.token({ sub: 'who spends' }) });
    expect([headers.get('ratelimit-limit'), headers.get('ratelimit-remaining')]).toEqual(['7', '6']);
  });
});
