import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import { catalogue, type ErrorCode, type GraphQLCode, type Language } from '../errors/catalogue.js';
import { isJsonObject } from '../decoding/read-json.js';
import { type DomainError } from '../errors/domain-error.js';
import { toErrorBody } from '../errors/error-body.js';
import { toDomainError } from '../errors/mask-error.js';
import { type RequestContext } from '../access/request-context.js';
import { briefMessage } from './brief-message.js';
import { refusedByApollo } from './refusal.js';

/** An error about conflicting fields could list every field. */
const mostLocations = 10;

/** An error as the caller sees it (Contract 7.2). */
interface DescribedError {
  formatted: GraphQLFormattedError & { extensions: { status: number } };
  /** Undefined if GraphQL itself rejected the document or a variable. */
  domainError: DomainError | undefined;
}

export function describeError(
  error: GraphQLError,
  {
    language,
    requestId,
    hasHints = false,
  }: Pick<RequestContext, 'language' | 'requestId'> & { hasHints?: boolean },
): DescribedError {
  const { locations, path } = error;
  const place = {
    ...(locations && { locations: locations.slice(0, mostLocations) }),
    ...(path && { path }),
  };
  if (isRefusedByGraphQL(error)) {
    const refused = refusal(error, { language, hasHints });
    return {
      formatted: { ...refused, ...place, extensions: { ...refused.extensions, requestId } },
      domainError: undefined,
    };
  }
  const domainError = toDomainError(error.originalError ?? error);
  const { status, error: code, errorMessage } = toErrorBody(domainError, language);
  const fields = domainError.details.faults?.map((fault) => ({
    path: [...(fault.isArgument ? [] : ['input']), fault.field],
    code: fault.code,
    message: fault.message[language],
  }));
  const extensions = {
    code: graphqlCode(domainError),
    error: code,
    status,
    ...(fields && { fields }),
    requestId,
  };
  return { formatted: { message: errorMessage, ...place, extensions }, domainError };
}

/**
 * Whether GraphQL itself rejected what a caller sent. An error about the document or its variables has no path. An error about an
 * argument has a path and a node; an error about a value that we return has a path but no node. GraphQL's errors always have
 * `extensions`.
 */
export function isRefusedByGraphQL(error: GraphQLError): boolean {
  const origin = error.originalError ?? error;
  return (
    origin instanceof GraphQLError &&
    isJsonObject(error.extensions) &&
    (!error.path || origin.nodes !== undefined)
  );
}

/** Reduces Apollo's codes, one per stage, to the two that callers need. */
function refusal(
  error: GraphQLError,
  { language, hasHints }: { language: Language; hasHints: boolean },
): { message: string; extensions: { code: string; error: ErrorCode; status: number } } {
  const { extensions } = error;
  const message = briefMessage(error, { hasHints });
  // Apollo sets 405 for a mutation sent with GET.
  const { status } = (extensions.http ?? {}) as { status?: number };
  if (status === 405) return refusedByApollo(status, message, language);
  const isSyntaxError = extensions.code === 'GRAPHQL_PARSE_FAILED';
  return {
    message,
    extensions: {
      code: isSyntaxError ? 'GRAPHQL_PARSE_FAILED' : 'BAD_USER_INPUT',
      error: isSyntaxError ? 'body-format-error' : 'validation-failed',
      status: 400,
    },
  };
}

function graphqlCode({ code, details: { challenge } }: DomainError): GraphQLCode {
  const isUnauthenticated = challenge?.reason === 'no-token' || challenge?.reason === 'invalid-token';
  return isUnauthenticated ? 'UNAUTHENTICATED' : catalogue[code].graphqlCode;
}
