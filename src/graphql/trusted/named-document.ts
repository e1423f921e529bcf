import { type HTTPGraphQLRequest } from '@apollo/server';
import { type FastifyRequest } from 'fastify';
import { DomainError } from '../../errors/domain-error.js';
import { type LocalisedText } from '../../errors/catalogue.js';
import { type Refusal } from '../../errors/refusal.js';
import { isJsonObject, parseJson } from '../../text/read-json.js';
import { type TrustedDocuments, withoutPrefix } from './trusted-documents.js';

export interface OperationParameters {
  query?: unknown;
  documentId?: unknown;
  variables?: unknown;
  extensions?: unknown;
}

/** @throws DomainError body-format-error for invalid JSON in the query */
export function operationParameters({ method, query, body }: FastifyRequest): OperationParameters {
  if (method !== 'GET') return typeof body === 'object' && body !== null ? body : {};
  const { extensions, variables, ...rest } = query as OperationParameters;
  return { ...rest, extensions: valueOf(extensions), variables: valueOf(variables) };
}

const valueOf = (text: unknown): unknown => (typeof text === 'string' ? parseJson(text) : text);

/** The reply of Apollo Server where persisted queries are off: Apollo's and urql's links then send the text. */
export const notSupported = (): Refusal => ({
  error: untrusted(unknown),
  byGraphQL: { message: 'PersistedQueryNotSupported', status: 400, code: 'PERSISTED_QUERY_NOT_SUPPORTED' },
});

export const namesDocument = (body: OperationParameters): boolean => idsIn(body).length > 0;

const idsIn = ({ documentId, extensions }: OperationParameters): unknown[] =>
  [documentId, hashIn(extensions)].filter((id) => id !== undefined && id !== null);

/**
 * The hash of the trusted document that a request names in `documentId` (GraphQL over HTTP) or Apollo's `extensions.persistedQuery`. The request may also send this document's text, but no other text, which could mislead a proxy.
 * @param options.isOnly whether only trusted documents may run
 * @returns undefined if the request names no document
 * @throws DomainError body-format-error if the document must not run
 */
export function namedDocument(
  body: OperationParameters,
  documents: TrustedDocuments,
  { isOnly }: { isOnly: boolean },
): string | undefined {
  const ids = idsIn(body);
  if (ids.length === 0 && isOnly) throw untrusted(unnamed);
  if (ids.length === 0) return undefined;
  const [hash = '', ...others] = ids.map((id) => (typeof id === 'string' ? withoutPrefix(id) : ''));
  const source = documents.get(hash)?.source;
  if (source === undefined) throw untrusted(unknown);
  if (others.some((other) => other !== hash) || (body.query ?? source) !== source)
    throw untrusted(contradictory);
  return hash;
}

/** Rewrites the request into Apollo's form. Leaves invalid extensions for Apollo to reject. */
export function asPersistedQuery(
  request: HTTPGraphQLRequest,
  { extensions }: OperationParameters,
  sha256Hash: string,
): HTTPGraphQLRequest {
  const { method, search, body } = request;
  const isByGet = method === 'GET';
  const isReadable =
    isJsonObject(extensions) || extensions === undefined || (extensions === null && !isByGet);
  if (!isReadable) return request;
  const persisted = { ...extensions, persistedQuery: { version: 1, sha256Hash } };
  if (!isByGet) return { ...request, body: { ...(body as object), query: undefined, extensions: persisted } };
  const parameters = new URLSearchParams(search);
  parameters.delete('query');
  parameters.set('extensions', JSON.stringify(persisted));
  return { ...request, search: parameters.toString() };
}

const untrusted = (hint: LocalisedText) => new DomainError('body-format-error', { hint });

// Unlike Apollo's errors, these errors must not ask the client for the text of the document.
const unnamed = {
  en: 'only trusted documents run here, so send the hash of one',
  fr: 'seuls les documents approuvés sont acceptés ici, envoyez l’empreinte de l’un d’eux',
};
const unknown = {
  en: 'no trusted document has this hash, and no request can add one',
  fr: 'aucun document approuvé n’a cette empreinte, et aucune requête ne peut en ajouter',
};
const contradictory = {
  en: 'the hash does not match the query or the other hash sent with it',
  fr: 'l’empreinte ne correspond pas à la requête ou à l’autre empreinte envoyée',
};

/** False, which matches no hash, if the hash is missing or the version is not 1. */
function hashIn(extensions: unknown): unknown {
  const { persistedQuery } = (extensions ?? {}) as { persistedQuery?: unknown };
  if (persistedQuery === undefined || persistedQuery === null) return undefined;
  const { version, sha256Hash } = persistedQuery as { version?: unknown; sha256Hash?: unknown };
  return version === 1 ? (sha256Hash ?? false) : false;
}
