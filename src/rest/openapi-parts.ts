import { type GraphQLInputField, type GraphQLSchema } from 'graphql';
import { readFileSync } from 'node:fs';
import { referenceKinds } from '../content/reference-book.js';
import { keyPattern } from '../history/history-entry.js';
import { jobStates } from '../job/job-choices.rules.js';
import { type DocumentedField, type Method, operations } from '../operations.js';
import { capitalised, rootField } from './documented.js';
import { documentedReplies } from './envelope.js';

/** A part of an OpenAPI document. */
export type Json = Record<string, unknown>;

export const reference = (kind: 'schemas' | 'headers' | 'parameters', name: string): Json => ({
  $ref: `#/components/${kind}/${name}`,
});

const text = (description: string, more: Json = {}): Json => ({
  description,
  schema: { type: 'string', ...more },
});

const count = (description: string): Json => ({ description, schema: { type: 'integer', minimum: 0 } });

const always = (header: Json): Json => ({ ...header, required: true });

const retryAfter = count('Whole seconds until another try makes sense.');

/** Every header that a documented reply may have; those that it always has are named `Required-…`. */
export const headers: Json = {
  'X-Request-Id': always(
    text('The id of the request: its own where it is sane, else a new one.', {
      pattern: '^[\\w.:-]{1,128}$',
    }),
  ),
  'RateLimit-Limit': count('Units in the tightest bucket that the request used.'),
  'RateLimit-Remaining': count('Units left in it.'),
  'RateLimit-Reset': count('Whole seconds until it is full again.'),
  'Retry-After': retryAfter,
  'Required-Retry-After': always(retryAfter),
  'Required-WWW-Authenticate': always(
    text('Why the authorisation was refused (RFC 6750).', { pattern: '^Bearer ' }),
  ),
  'Required-Allow': always(text('The methods that the path accepts.')),
  'Accept-Post': text('The types of body that POST takes here.'),
  'Accept-Patch': text('The types of body that PATCH takes here.'),
  ETag: text('The version of the record, in quotes, for `If-Match`; none on a dry run.', {
    pattern: '^"\\d+"$',
  }),
  'Read-ETag': always(
    text('Changes with whatever the reply shows; of a record, its version stands first, for `If-Match`.', {
      pattern: '^"(\\d+-)?[\\w-]{16}"$',
    }),
  ),
  'Idempotency-Replayed': text('There, and `true`, when this answer was given before.', {
    const: 'true',
  }),
  Deprecation: text('Since when something that the call used is deprecated, as `@` and seconds (RFC 9745).', {
    pattern: '^@\\d+$',
  }),
  Sunset: text('When it goes (RFC 8594).'),
  'Job-State': always(text('The state of the job at this moment.', { enum: jobStates })),
  'Job-Expires': text('When the job will be archived, UTC; there while it is published.', {
    format: 'date-time',
  }),
  Link: text(
    'The URL of the next page, relative to this one, as `rel="next"` (RFC 8288); none on the last page.',
    {
      pattern: '^<jobs\\?.+>; rel="next"$',
    },
  ),
  'Preference-Applied': text('There when nothing was written.', { const: 'validate-only' }),
  'Logo-ETag': always(text('The hash of the content, in quotes.', { pattern: '^"[\\da-f]{64}"$' })),
  'Logo-Cache-Control': always(
    text('A logo never changes.', { const: 'public, max-age=31536000, immutable' }),
  ),
};

/** What any call may tell: the state of the tightest bucket that it used, and when something that it used goes. */
export const callHeaders = [
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Deprecation',
  'Sunset',
];

/** What a reply with a single job says of it besides (Contract 4.5.7). */
export const singleJobHeaders = ['Job-State', 'Job-Expires'];

/** An object that has these keys, may have the optional ones, and has no others. */
export const closedObject = (
  properties: Json,
  { description, optional = {} }: { description?: string; optional?: Json } = {},
): Json => ({
  type: 'object',
  ...(description !== undefined && { description }),
  properties: { ...properties, ...optional },
  required: Object.keys(properties),
  additionalProperties: false,
});

/** Marks what is deprecated in the GraphQL schema. */
export const deprecation = ({ deprecationReason }: Pick<GraphQLInputField, 'deprecationReason'>): Json =>
  deprecationReason ? { deprecated: true } : {};

/** What an operation says of the root field that it executes, as its row and the schema have it. */
export function describeOperation(
  schema: GraphQLSchema,
  field: DocumentedField,
  method: Method,
  { summary, remark = '' }: { summary: string; remark?: string },
): Json {
  const { kind, rest, scopes } = operations[field];
  const definition = rootField(schema, field);
  const [documentedMethod, ...others]: readonly Method[] = rest.methods;
  const isDocumented = method === documentedMethod;
  const same = isDocumented
    ? `${documentedMethod} is the documented method; ${others.join(', ')} does the same.`
    : `The same as ${documentedMethod}.`;
  const byMethod = `${method.toLowerCase()}${method === 'GET' ? capitalised(field) : documentedReplies[field].type}`;
  return {
    operationId: method !== 'GET' && isDocumented ? field : byMethod,
    tags: [rest.path.split('/')[1]],
    summary,
    description: [
      `${definition.description} It is the GraphQL ${kind} \`${field}\`.${remark}`,
      ...(others.length > 0 ? [same] : []),
    ].join('\n\n'),
    ...deprecation(definition),
    security: scopes.map((scope) => ({ bearer: [scope] })),
  };
}

type DocumentedPath = (typeof operations)[DocumentedField]['rest']['path'];
type NamedIn<Path> = Path extends `${string}:${infer Name}` ? Name : never;

/** What paths name, with the ids of the demo. */
const demo: Record<NamedIn<DocumentedPath>, string> = {
  jobPublicId: 'acme-backend-engineer',
  kind: 'contract',
};

/** What the path of an operation names, with the ids of the demo. */
export const inPath = (field: DocumentedField): [name: string, id: string][] =>
  Object.entries(demo).filter(([name]) => operations[field].rest.path.endsWith(`:${name}`));

/** The path of an operation with these ids. */
export const demoPath = (field: DocumentedField): string =>
  inPath(field).reduce<string>(
    (path, [name, id]) => path.replace(`:${name}`, id),
    operations[field].rest.path,
  );

/** A public id, or another name, that a path has. */
const idParameter = (name: string, description: string, example: string, more: Json = {}): Json => ({
  name,
  in: 'path',
  required: true,
  description,
  schema: { type: 'string', ...more },
  example,
});

/** Parameters that may be left out, by their names. */
const optional = (place: 'query' | 'header', described: Record<string, Json>): Json =>
  Object.fromEntries(Object.entries(described).map(([name, rest]) => [name, { name, in: place, ...rest }]));

/** Request headers, the job's id in the path and the query parameter of the updates. */
export const parameters: Json = {
  ...optional('query', {
    'company-public-id': text(
      'Public id of the company, also taken as `company_public_id`, here or in the body; both must agree.',
    ),
  }),
  job_public_id: idParameter('job_public_id', 'Public id of the job.', demo.jobPublicId),
  kind: idParameter('kind', 'What they classify.', demo.kind, { enum: referenceKinds }),
  ...optional('header', {
    'If-Match': text(
      'The `ETag` of the version that the caller has seen, or `*`; another version is refused with `version-conflict`, a list of several with `validation-failed`.',
    ),
    'If-None-Match': text('The `ETag` that is known already.'),
    'Idempotency-Key': text(
      'A key of the caller’s choice: within 24 hours a repeated call is answered like the first and not run again.',
      { pattern: keyPattern.source },
    ),
    Prefer: text(
      '`validate-only`: every check and the would-be result, but no write; what is nearly that is refused.',
      { examples: ['validate-only'] },
    ),
    'Accept-Language': text('The language of messages and names: English unless French is preferred.', {
      examples: ['fr'],
    }),
  }),
};

/** A body of JSON, by its content type. */
export const jsonBody = (schema: Json, example?: unknown): Json => ({
  'application/json': { schema, ...(example !== undefined && { example }) },
});

const examples = new URL('../../schema/examples/operations/', import.meta.url);

/** What stands under the head of a file of `schema/examples/operations`. */
function bodyIn(file: string): string {
  const text = readFileSync(new URL(file, examples), 'utf8');
  return text.slice(text.indexOf('\n\n') + 2);
}

/** The form that an example sends. */
export const exampleForm = (name: string): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(bodyIn(`${name}.http`).replaceAll('\n', '')));

/** What an example is answered, with an instant where it leaves one open. */
export const exampleReply = (name: string): unknown =>
  JSON.parse(bodyIn(`${name}.answer.http`).replaceAll('<instant>', '2026-01-05T09:00:00.000Z'));

/** A reply: what it means, its body by content type, and its headers besides the request id. */
export const response = (
  description: string,
  content: Json | undefined,
  names: readonly string[] = [],
): Json => ({
  description,
  headers: Object.fromEntries(
    // Headers of one kind of reply alone, and those that a reply always has, are kept under a longer name.
    ['X-Request-Id', ...names].map((name) => [
      name.replace(/^(?:Read|Logo|Required)-/, ''),
      reference('headers', name),
    ]),
  ),
  ...(content && { content }),
});
