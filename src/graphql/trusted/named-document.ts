import { type FastifyRequest } from 'fastify';
import { type DomainError, unreadable } from '../../errors/domain-error.js';
import { isJsonObject, parseJson } from '../../decoding/read-json.js';
import { type TrustedDocuments, withoutPrefix } from './trusted-documents.js';

/** A GraphQL request as it came in, by either method; nothing of it has been checked. */
export interface GivenOperation {
  query?: unknown;
  documentId?: unknown;
  operationName?: unknown;
  variables?: unknown;
  extensions?: unknown;
}

/** The operation that a request gives, by its method. @throws DomainError body-format-error for a part that is no JSON */
export function givenOperation({ method, query, body }: FastifyRequest): GivenOperation {
  if (method !== 'GET') return typeof body === 'object' && body !== null ? body : {};
  const { extensions, variables, ...rest } = query as GivenOperation;
  return { ...rest, extensions: valueOf(extensions), variables: valueOf(variables) };
}

const valueOf = (text: unknown): unknown => (typeof text === 'string' ? parseJson(text) : text);

/**
 * The hash of the trusted document that a request names, as `documentId` of GraphQL over HTTP or as Apollo's
 * `extensions.persistedQuery` (Contract 4.4.10); undefined where it names none. A request may send the text too, but
 * only the text of that hash. Otherwise a proxy could take it for another document than the one that runs.
 * @param options whether no other documents may run
 * @returns a DomainError, for the caller of this function to count, where no document may run
 */
export function namedDocument(
  { documentId, extensions, query }: GivenOperation,
  documents: TrustedDocuments,
  { isOnly }: { isOnly: boolean },
): string | DomainError | undefined {
  const ids = [documentId, hashIn(extensions)].filter((id) => id !== undefined && id !== null);
  if (ids.length === 0) return isOnly ? unnamed() : undefined;
  const [hash = '', ...others] = ids.map((id) => (typeof id === 'string' ? withoutPrefix(id) : ''));
  const source = documents.get(hash)?.source;
  if (source === undefined) return unknown();
  return others.every((other) => other === hash) && (query ?? source) === source ? hash : contradictory();
}

/** A request that names a trusted document, as Apollo Server knows it. Extensions that are no object are left for it to refuse. */
export function asPersistedQuery(
  { method, url, body }: FastifyRequest,
  { extensions }: GivenOperation,
  sha256Hash: string,
): { url: string; body: unknown } {
  const isByGet = method === 'GET';
  const isReadable =
    isJsonObject(extensions) || extensions === undefined || (extensions === null && !isByGet);
  if (!isReadable) return { url, body };
  const persisted = { ...extensions, persistedQuery: { version: 1, sha256Hash } };
  if (!isByGet) return { url, body: { ...(body as object), query: undefined, extensions: persisted } };
  const { pathname, searchParams } = new URL(url, 'http://localhost');
  searchParams.delete('query');
  searchParams.set('extensions', JSON.stringify(persisted));
  return { url: `${pathname}?${searchParams.toString()}`, body };
}

// None of these says that the text could be sent instead.
const unnamed = () =>
  unreadable(
    'only trusted documents run here, each named by its hash',
    'seuls les documents approuvés sont exécutés ici, chacun nommé par son empreinte',
  );
const unknown = () =>
  unreadable(
    'no trusted document has this hash, and no request can add one',
    'aucun document approuvé n’a cette empreinte, et aucune requête ne peut en ajouter',
  );
const contradictory = () =>
  unreadable(
    'the hash and what is sent beside it are not of one document',
    'l’empreinte et ce qui l’accompagne ne sont pas d’un même document',
  );

/** The hash in the form of Apollo's persisted queries; false, which is no hash, if it is not of version 1, their only one. */
function hashIn(extensions: unknown): unknown {
  const { persistedQuery } = (extensions ?? {}) as { persistedQuery?: unknown };
  if (persistedQuery === undefined || persistedQuery === null) return undefined;
  const { version, sha256Hash } = persistedQuery as { version?: unknown; sha256Hash?: unknown };
  return version === 1 ? (sha256Hash ?? false) : false;
}
