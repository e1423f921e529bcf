import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import { catalogue, type ErrorCode, type GraphQLCode, type Language } from '../errors/catalogue.js';
import { isJsonObject } from '../decoding/read-json.js';
import { type DomainError } from '../errors/domain-error.js';
import { toErrorBody } from '../errors/error-body.js';
import { toDomainError } from '../errors/mask-error.js';
import { type RequestContext } from '../access/request-context.js';
import { briefMessage } from './brief-message.js';
import { refusedByApollo } from './refusal.js';

/** The most places in the document that one error names. Conflicting fields may stand in as many as there are fields. */
const mostLocations = 10;

/** What the caller is told of an error, and what it was as an error of the catalogue (Contract 7.2). */
interface DescribedError {
  formatted: GraphQLFormattedError & { extensions: { status: number } };
  /** Undefined for what GraphQL itself refused: a document or a variable that does not fit the schema. */
  domainError: DomainError | undefined;
}

/** One channel for every error: its place, and in `extensions` the code, the catalogue code, status and faults. */
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
 * Whether GraphQL itself refused what a caller sent: a document or its variables, before any field has a path, or the argument of a
 * field, and then it names the node of the argument. It names none where a value of ours does not fit its type. What has no
 * `extensions`, as every error of GraphQL's has, was made by something else, and is masked like any other.
 */
export function isRefusedByGraphQL(error: GraphQLError): boolean {
  const origin = error.originalError ?? error;
  return (
    origin instanceof GraphQLError &&
    isJsonObject(error.extensions) &&
    (!error.path || origin.nodes !== undefined)
  );
}

/** Apollo has a code for each stage. Callers need only tell a syntax error from an input that does not fit. */
function refusal(
  error: GraphQLError,
  { language, hasHints }: { language: Language; hasHints: boolean },
): { message: string; extensions: { code: string; error: ErrorCode; status: number } } {
  const { extensions } = error;
  const message = briefMessage(error, { hasHints });
  // A mutation by GET is no fault of the document.
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
