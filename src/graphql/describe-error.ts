import { type GraphQLError, type GraphQLFormattedError } from 'graphql';
import { catalogue, type GraphQLCode } from '../errors/catalogue.js';
import { type DomainError } from '../errors/domain-error.js';
import { toErrorBody } from '../errors/error-body.js';
import { inputName } from '../errors/input-name.js';
import { toDomainError } from '../errors/mask-error.js';
import { type RequestContext } from '../access/request-context.js';

/** What the caller is told of an error, and what it was as an error of the catalogue (Contract 7.2). */
export interface DescribedError {
  formatted: GraphQLFormattedError;
  /** Undefined for what GraphQL itself refused: a document or a variable that does not fit the schema. */
  domainError: DomainError | undefined;
}

/** One channel for every error: its place, and in `extensions` the code, the catalogue code, status and faults. */
export function describeError(
  error: GraphQLError,
  { language, requestId }: Pick<RequestContext, 'language' | 'requestId'>,
): DescribedError {
  const { message, locations, path } = error;
  const place = { ...(locations && { locations }), ...(path && { path }) };
  if (isRefusedByGraphQL(error)) {
    return {
      formatted: { message, ...place, extensions: { ...refusal(error), requestId } },
      domainError: undefined,
    };
  }
  const domainError = toDomainError(error.originalError);
  const { status, error: code, errorMessage, errors } = toErrorBody(domainError, language);
  const fields = errors?.map(({ field, ...fault }, index) => ({
    path: [...(domainError.details.faults?.[index]?.isArgument ? [] : ['input']), inputName(field)],
    ...fault,
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
function refusal({ extensions }: GraphQLError): { code: string; error: string; status: number } {
  const isSyntaxError = extensions.code === 'GRAPHQL_PARSE_FAILED';
  return {
    code: isSyntaxError ? 'GRAPHQL_PARSE_FAILED' : 'BAD_USER_INPUT',
    error: isSyntaxError ? 'body-format-error' : 'validation-failed',
    status: 400,
  };
}

function graphqlCode({ code, details: { challenge } }: DomainError): GraphQLCode {
  const isUnauthenticated = challenge?.reason === 'no-token' || challenge?.reason === 'invalid-token';
  return isUnauthenticated ? 'UNAUTHENTICATED' : catalogue[code].graphqlCode;
}
