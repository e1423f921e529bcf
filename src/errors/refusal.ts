import { catalogue, graphqlCodeOf, type Language, type LocalisedText } from './catalogue.js';
import { snakeCase } from './snake-case.js';
import { type DomainError, type Lack } from './domain-error.js';
import { documentedFault, graphqlFaults } from './field-fault.js';
import { unauthorizedReasons } from './unauthorized-reason.js';

/** An error of a call, and its place in the document. */
export interface Refusal {
  error: DomainError;
  locations?: readonly { line: number; column: number }[] | undefined;
  path?: readonly (string | number)[] | undefined;
  /** Set if GraphQL itself rejected the request, its document or its variables. */
  byGraphQL?:
    | { message: string; status: number; code?: 'GRAPHQL_PARSE_FAILED' | 'PERSISTED_QUERY_NOT_SUPPORTED' }
    | undefined;
}

/** Where a caller that is refused can read on. */
export interface ErrorLinks {
  /** The metadata that say which tokens the gateway takes. */
  resourceMetadata?: string | undefined;
  /** The page that explains each code, known once the gateway listens. Only in development. */
  help?: (() => string) | undefined;
}

export const statusOf = ({ error, byGraphQL }: Refusal): number =>
  byGraphQL?.status ?? catalogue[error.code].status;

/** An entry of `errors[]`. */
export function toGraphQLError(
  refusal: Refusal,
  { language, requestId }: { language: Language; requestId: string },
  { help }: ErrorLinks = {},
) {
  const { error, locations, path, byGraphQL } = refusal;
  const { faults, lack, current, hint = lack && hintOf(lack), graphqlMessage } = error.details;
  return {
    message:
      byGraphQL?.message ??
      graphqlMessage?.[language] ??
      withHint(catalogue[error.code].message, language, hint?.[language]),
    ...(locations && { locations }),
    ...(path && { path }),
    extensions: {
      code: byGraphQL?.code ?? (isUnauthenticated(error) ? 'UNAUTHENTICATED' : graphqlCodeOf(error.code)),
      error: error.code,
      status: statusOf(refusal),
      ...(faults && { fields: faults.flatMap((fault) => graphqlFaults(fault, language)) }),
      ...(lack && { reason: lack.reason }),
      ...(lack && 'scope' in lack && { scope: lack.scope }),
      ...(current && { currentVersion: current.version, changedFields: current.changedFields }),
      requestId,
      ...(help && { help: `${help()}#${error.code}` }),
    },
  };
}

/** Over REST, the body of such a refusal never changes. */
function hintOf(lack: Lack): LocalisedText {
  const { en, fr } = unauthorizedReasons[lack.reason];
  return 'scope' in lack ? { en: `${en} ${lack.scope}`, fr: `${fr} ${lack.scope}` } : { en, fr };
}

/** Whether another token is needed: the call has none, or a bad one. */
export const isUnauthenticated = ({ details: { lack } }: DomainError): boolean =>
  lack?.reason === 'token_missing' || (lack !== undefined && 'description' in lack);

/** The documented error body. Never includes the cause. */
export function toErrorBody({ code, details }: DomainError, language: Language) {
  const { status, message } = catalogue[code];
  return {
    status,
    error: code,
    errorMessage: withHint(
      message,
      language,
      details.hint?.[language] ?? details.current?.changedPaths.map(snakeCase).join(', '),
    ),
    ...(code === 'validation-failed' && {
      errors: details.faults?.map((fault) => documentedFault(fault, language)),
    }),
  };
}

const colons: LocalisedText = { en: ': ', fr: ' : ' };

const withHint = (message: LocalisedText, language: Language, hint: string | undefined): string =>
  hint ? `${message[language].replace(/\.$/, '')}${colons[language]}${hint}.` : message[language];

/** The headers of an error reply. */
export function errorHeaders(
  { code, details }: DomainError,
  { resourceMetadata, help }: ErrorLinks,
): Record<string, string> {
  const metadata = resourceMetadata === undefined ? '' : `, resource_metadata="${resourceMetadata}"`;
  return {
    ...(code === 'unauthorized-limitation' && {
      'www-authenticate': challengeText(details.lack) + metadata,
    }),
    ...(details.retryAfterSeconds !== undefined && { 'retry-after': String(details.retryAfterSeconds) }),
    ...(details.current && { etag: `"${details.current.version}"` }),
    ...(details.allow && { allow: details.allow.join(', ') }),
    ...(help && { link: `<${help()}#${code}>; rel="help"` }),
  };
}

/**
 * RFC 6750, 3: without a token, the challenge has no error code or description. `insufficient_scope` means any lack of privileges; only
 * the lack of a scope names one.
 */
function challengeText(lack: Lack | undefined): string {
  switch (lack?.reason) {
    case 'token_invalid':
    case 'token_expired':
      return `Bearer realm="gateway", error="invalid_token", error_description="${lack.description}"`;
    case 'scope_missing':
      return `Bearer realm="gateway", error="insufficient_scope", scope="${lack.scope}", error_description="the token lacks the scope ${lack.scope}"`;
    case 'role_missing':
    case 'out_of_reach':
      return `Bearer realm="gateway", error="insufficient_scope", error_description="${unauthorizedReasons[lack.reason].en}"`;
    case 'token_missing':
    case undefined:
      return 'Bearer realm="gateway"';
  }
}
