import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { readFileSync } from 'node:fs';
import { catalogue, type ErrorCode } from '../../src/errors/catalogue.js';

interface Reference {
  $ref: string;
}
interface HeaderObject {
  required?: boolean;
  schema: object;
}
interface ResponseObject {
  headers?: Record<string, HeaderObject | Reference>;
  content?: Record<string, { schema?: object }>;
}
type PathItem = Record<string, { responses: Record<string, ResponseObject> } | undefined>;
interface Document {
  paths: Record<string, PathItem>;
  components: { headers: Record<string, HeaderObject>; schemas: Record<string, object> };
}

const baseUri = 'openapi.json';
const document = JSON.parse(
  readFileSync(new URL('../../schema/openapi.json', import.meta.url), 'utf8'),
) as Document;
// OpenAPI has keywords that ajv doesn't know, so don't be strict. Don't validate the schemas: this takes 40 ms per test file, and
// test/contract/emitted.test.ts does it.
const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false });
addFormats.default(ajv);
ajv.addSchema(document, baseUri);

const validators = new Map<object, ValidateFunction>();

function faultsOf(schema: object, value: unknown): string[] {
  let validate = validators.get(schema);
  if (!validate) {
    validate = ajv.compile(absolute(schema) as object);
    validators.set(schema, validate);
  }
  if (validate(value)) return [];
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath || '/'} ${message}`);
}

/** Makes the references of a schema absolute, so that they resolve outside of the document. */
function absolute(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(absolute);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [
      key,
      key === '$ref' && typeof part === 'string' ? baseUri + part : absolute(part),
    ]),
  );
}

const pathPatterns = Object.keys(document.paths).map((path) => ({
  path,
  pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+').replace(/\./g, '\\.')}$`),
}));

/** For an undocumented method, returns the reply that another method of the path documents. */
function documentedResponse(method: string, pathname: string, status: number): ResponseObject | undefined {
  const path = pathPatterns.find(({ pattern }) => pattern.test(pathname))?.path;
  const item = path === undefined ? undefined : document.paths[path];
  const key = method === 'HEAD' ? 'get' : method.toLowerCase();
  const operations = item?.[key] ? [item[key]] : Object.values(item ?? {});
  return operations.flatMap((operation) => operation?.responses?.[String(status)] ?? [])[0];
}

/** The expected reply for undocumented paths. */
const anyError: ResponseObject = {
  headers: { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } },
  content: {
    'application/json': {
      schema: {
        anyOf: Object.keys(document.components.schemas)
          .filter((name) => name.endsWith('Body'))
          .map((name) => ({ $ref: `#/components/schemas/${name}` })),
      },
    },
  },
};

/** Headers that a reply may have only if the document lists them for this reply. */
const decidedHeaders = Object.keys(document.components.headers)
  .filter((name) => !/^(Required|Logo|Read)-/.test(name))
  .concat('WWW-Authenticate', 'Allow');

/** @throws Error that lists every difference between the reply and the OpenAPI document */
export function assertDocumented(
  request: { method: string; path: string },
  reply: { status: number; headers: Headers; body: unknown },
): void {
  const { method, path } = request;
  const { status, headers, body } = reply;
  // Preflights are not part of the API.
  if (method === 'OPTIONS' && status < 300) return;
  const pathname = path.split('?')[0] ?? '';
  const isUndocumentedPath = !pathPatterns.some(({ pattern }) => pattern.test(pathname));
  const response =
    documentedResponse(method, pathname, status) ??
    (isUndocumentedPath && status >= 400 ? anyError : undefined);
  const faults = response
    ? [
        ...headerFaults(response, headers),
        ...(method === 'HEAD' || status === 304 ? [] : bodyFaults(response, headers, body)),
      ]
    : ['the status is not documented'];
  if (faults.length === 0) return;
  throw new Error(
    `${method} ${path} answered ${status} against schema/openapi.json:\n  ${faults.join('\n  ')}\n${JSON.stringify(body)}`,
  );
}

function headerFaults({ headers: documented = {} }: ResponseObject, headers: Headers): string[] {
  const undocumented = decidedHeaders
    .filter((name) => headers.has(name) && !(name in documented))
    .map((name) => `header ${name} is not documented`);
  const faults = Object.entries(documented).flatMap(([name, given]) => {
    const header = '$ref' in given ? document.components.headers[given.$ref.split('/').at(-1) ?? ''] : given;
    if (!header) return [`header ${name} refers to nothing`];
    const text = headers.get(name);
    if (text === null) return header.required ? [`header ${name} is missing`] : [];
    const isInteger = (header.schema as { type?: string }).type === 'integer';
    return faultsOf(header.schema, isInteger ? Number(text) : text).map((fault) => `header ${name} ${fault}`);
  });
  return [...undocumented, ...faults];
}

function bodyFaults({ content = {} }: ResponseObject, headers: Headers, body: unknown): string[] {
  const contentType = (headers.get('content-type') ?? '').split(';')[0] ?? '';
  const documented = content[contentType];
  if (!documented) return [`content type "${contentType}" is not documented`];
  return documented.schema ? [...faultsOf(documented.schema, body), ...messageFaults(body)] : [];
}

/** The document has messages only as examples. A message can end with a hint. */
function messageFaults(body: unknown): string[] {
  const { error, errorMessage } = (body ?? {}) as { error?: ErrorCode; errorMessage?: string };
  if (!error || errorMessage === undefined) return [];
  const isKnown = Object.values(catalogue[error].message).some(
    (text) =>
      errorMessage === text ||
      [': ', ' : '].some((colon) => errorMessage.startsWith(text.replace(/\.$/, colon))),
  );
  return isKnown ? [] : ['/errorMessage is not in the catalogue'];
}
