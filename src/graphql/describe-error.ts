import { type GraphQLError, type GraphQLFormattedError } from 'graphql';
import { catalogue, type ErrorCode, type GraphQLCode, type Language } from '../errors/catalogue.js';
import { type DomainError } from '../errors/domain-error.js';
import { toErrorBody } from '../errors/error-body.js';
import { toDomainError } from '../errors/mask-error.js';
import { type RequestContext } from '../access/request-context.js';
import { refusedByApollo } from './refusal.js';

/** What the caller is told of an error, and what it was as an error of the catalogue (Contract 7.2). */
export interface DescribedError {
  formatted: GraphQLFormattedError & { extensions: { status: number } };
  /** Undefined for what GraphQL itself refused: a document or a variable that does not fit the schema. */
  domainError: DomainError | undefined;
}

/** One channel for every error: its place, and in `extensions` the code, the catalogue code, status and faults. */
export function describeError(
  error: GraphQLError,
  { language, requestId }: Pick<RequestContext, 'language' | 'requestId'>,
): DescribedError {
  const { locations, path } = error;
  const place = { ...(locations && { locations }), ...(path && { path }) };
  if (isRefusedByGraphQL(error)) {
    const refused = refusal(error, language);
    return {
      formatted: { ...refused, ...place, extensions: { ...refused.extensions, requestId } },
      domainError: undefined,
    };
  }
  const domainError = toDomainError(error.originalError);
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

/** GraphQL's own errors have no original, or, where a scalar refused a value, one that is a GraphQLError too. */
function isRefusedByGraphQL({ originalError, extensions, path }: GraphQLError): boolean {
  if (originalError) return originalError.name === 'GraphQLError';
  // An error with a path came out of execution, which GraphQL itself fails only by a defect of the schema.
  return path === undefined || extensions.code !== undefined;
}

/** Apollo names each stage; callers need only know a syntax error from an input that does not fit. */
function refusal(
  { message, extensions }: GraphQLError,
  language: Language,
): { message: string; extensions: { code: string; error: ErrorCode; status: number } } {
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
