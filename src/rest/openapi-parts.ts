import { type GraphQLInputField } from 'graphql';
import { snakeCase } from '../errors/snake-case.js';
import { referenceKinds } from '../fields/reference-snapshot.js';
import { keyPattern } from '../idempotency/keyed-call.js';
import { jobStates } from '../job/job-choices.rules.js';
import { type DocumentedField, dryRunCosts, operations } from '../operations.js';

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

const retryAfter = count('Seconds to wait before the next try.');

const versionTag = { pattern: '^"\\d+"$' };

/** `Required-…` is the same header in a reply that always has it. */
export const headers: Json = {
  'X-Request-Id': always(
    text('The caller’s, if it is valid; else a new id.', { pattern: '^[\\w.:-]{1,128}$' }),
  ),
  'RateLimit-Cost': count('Units that the call costs of the quota closest to its limit; 0 if it spent none.'),
  'RateLimit-Limit': count('Size, in units, of the quota closest to its limit.'),
  'RateLimit-Remaining': count('Units left in the quota closest to its limit.'),
  'RateLimit-Reset': count('Seconds until the quota closest to its limit is full again.'),
  'Retry-After': retryAfter,
  'Required-Retry-After': always(retryAfter),
  'Required-WWW-Authenticate': always(
    text('Why the authorisation was refused (RFC 6750).', { pattern: '^Bearer ' }),
  ),
  'Required-Allow': always(text('The methods that the path accepts.')),
  'Accept-Post': text('The content types that POST accepts here.'),
  'Accept-Patch': text('The content types that PATCH accepts here.'),
  ETag: text('The version of the record, in quotes, for `If-Match`; absent on a dry run.', versionTag),
  'Required-ETag': always(text('The current version of the record, in quotes.', versionTag)),
  'Read-ETag': always(
    text('Changes with the body. `If-Match` takes that of a single record.', {
      pattern: '^"(\\d+-)?[\\w-]{16}"$',
    }),
  ),
  'Idempotency-Replayed': text('`true` if this reply repeats an earlier one; otherwise absent.', {
    const: 'true',
  }),
  'Job-State': always(text('The current state of the job.', { enum: jobStates })),
  'Job-Expires': text('When the job ends, in UTC; absent unless it is published.', { format: 'date-time' }),
  Link: text('The next page (RFC 8288); absent on the last page.', { pattern: '^<jobs\\?.+>; rel="next"$' }),
  Location: text('The path of the new job, relative to the path of the request; absent on a dry run.'),
  'Preference-Applied': text('Present if the call was a dry run.', { const: 'validate-only' }),
  'Logo-ETag': always(text('The hash of the content, in quotes.', { pattern: '^"[\\da-f]{64}"$' })),
  'Logo-Cache-Control': always(
    text('A logo never changes.', { const: 'public, max-age=31536000, immutable' }),
  ),
  'Document-ETag': always(text('A digest of the document.', { pattern: '^W/"[\\da-f]{32}"$' })),
  'Document-Cache-Control': always(text('Ask whether the document has changed.', { const: 'no-cache' })),
};

/** Headers that any call can get. */
export const callHeaders = ['RateLimit-Cost', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];

/** Headers of replies that show a single job. */
export const singleJobHeaders = ['Job-State', 'Job-Expires'];

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

/** OpenAPI 3.1 lets a file have no type, but most generators know a file by this format, from OpenAPI 3.0. */
export const file: Json = { type: 'string', format: 'binary' };

/** Generators stop at null in an `enum`, or take it for an object in `anyOf`, and lose a list of types inside `anyOf`. */
export const nullable = ({ anyOf, ...schema }: Json): Json => {
  if (anyOf) return { anyOf: [...(anyOf as Json[]), { type: 'null' }] };
  return schema.enum ? { oneOf: [schema, { type: 'null' }] } : { ...schema, type: [schema.type, 'null'] };
};

export const deprecation = ({ deprecationReason }: Pick<GraphQLInputField, 'deprecationReason'>): Json =>
  deprecationReason ? { deprecated: true } : {};

/** The names of the parameters in an operation's path. */
export const pathParameters = (field: DocumentedField): string[] =>
  [...operations[field].rest.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);

/** The parameters in the path, then these, by their names in `parameters`. */
export const parametersOf = (field: DocumentedField, ...names: readonly string[]): Json[] =>
  [...pathParameters(field).map(snakeCase), ...names].map((name) => reference('parameters', name));

const named = (place: 'path' | 'query' | 'header', described: Record<string, Json>): Json =>
  Object.fromEntries(Object.entries(described).map(([name, rest]) => [name, { name, in: place, ...rest }]));

export const parameters: Json = {
  ...named('query', {
    'company-public-id': text(
      'Public id of the company; also accepted as `company_public_id`, and in the body. The query and the body must not name different companies.',
    ),
  }),
  ...named('path', {
    job_public_id: { required: true, ...text('Public id of the job.'), example: 'acme-backend-engineer' },
    kind: {
      required: true,
      ...text('The kind of reference.', { enum: referenceKinds }),
      example: 'contract',
    },
  }),
  ...named('header', {
    'If-Match': text(
      'The `ETag` that the caller has read, or `*`. Another version of the record gives `version-conflict`. Of several tags, any may match.',
    ),
    'If-None-Match': text('The `ETag` that the caller already has.'),
    'Idempotency-Key': text(
      'A key that the caller chooses. Within 24 hours, a repeated call gets the first reply and does not run again.',
      { pattern: keyPattern.source },
    ),
    Prefer: text(
      `\`validate-only\`: runs every check and shows the result, but writes nothing. A misspelt \`validate-only\` is rejected. ${dryRunCosts}`,
      { examples: ['validate-only'] },
    ),
    'Accept-Language': text('The language of messages and names: French if preferred, otherwise English.', {
      examples: ['fr'],
    }),
  }),
};

export const jsonBody = (schema: Json, example?: unknown): Json => ({
  'application/json': { schema, ...(example !== undefined && { example }) },
});

/** `names`: the headers besides `X-Request-Id`. */
export const response = (
  description: string,
  content: Json | undefined,
  names: readonly string[] = [],
): Json => ({
  description,
  headers: Object.fromEntries(
    // In `headers`, variants of one header differ by a prefix.
    ['X-Request-Id', ...names].map((name) => [
      name.replace(/^(?:Read|Logo|Document|Required)-/, ''),
      reference('headers', name),
    ]),
  ),
  ...(content && { content }),
});
