import { GraphQLError } from 'graphql';
import { catalogue, errorCodes, type Language } from '../errors/catalogue.js';
import { isJsonObject } from '../text/read-json.js';
import { DomainError } from '../errors/domain-error.js';
import { toDomainError } from '../database/database-errors.js';
import { type Refusal } from '../errors/refusal.js';
import { briefMessage, type VariableFault } from './variable-faults.js';

/** An error about conflicting fields could list every field. */
const mostLocations = 10;

/**
 * What an error of a document tells its caller.
 * @param inVariable if the error is about a variable
 */
export function refusalOf(error: GraphQLError, language: Language, inVariable?: VariableFault): Refusal {
  const place = { locations: error.locations?.slice(0, mostLocations), path: error.path };
  if (!isRefusedByGraphQL(error)) return { error: toDomainError(error.originalError ?? error), ...place };
  const { message = briefMessage(error.message), fault } = inVariable ?? {};
  // Apollo sets 405 for a mutation sent with GET.
  const { status } = (error.extensions.http ?? {}) as { status?: number };
  if (status === 405) return { ...refusedByApollo(status, message, language), ...place };
  // Reduces Apollo's codes, one per stage, to the two that callers need.
  const isSyntaxError = error.extensions.code === 'GRAPHQL_PARSE_FAILED';
  return {
    error: new DomainError(
      isSyntaxError ? 'body-format-error' : 'validation-failed',
      fault && { faults: [fault] },
    ),
    byGraphQL: { message, status: 400, ...(isSyntaxError && { code: 'GRAPHQL_PARSE_FAILED' }) },
    ...place,
  };
}

/**
 * Whether GraphQL itself rejected what a caller sent. An error about the document or its variables has no path. An error about an
 * argument has a path and a node; an error about a value that we return has a path but no node. GraphQL's errors always have
 * `extensions`.
 */
function isRefusedByGraphQL(error: GraphQLError): boolean {
  const origin = error.originalError ?? error;
  return (
    origin instanceof GraphQLError &&
    isJsonObject(error.extensions) &&
    (!error.path || origin.nodes !== undefined)
  );
}

/** Keeps Apollo's more exact message, but only in English. Its statuses 400, 405, 415 and 500 each have one code. */
export function refusedByApollo(httpStatus: number, message: string, language: Language): Refusal {
  const code = errorCodes.find((each) => catalogue[each].status === httpStatus) ?? 'body-format-error';
  const error = new DomainError(code);
  // Apollo's message of an internal error reveals too much.
  const isApollosToTell = language === 'en' && error.code !== 'internal-error';
  return {
    error,
    ...(isApollosToTell && { byGraphQL: { message, status: catalogue[error.code].status } }),
  };
}
