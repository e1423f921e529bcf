import { catalogue, type GraphQLCode, type Language } from './catalogue.js';
import { type DomainError } from './domain-error.js';
import { withHint } from './error-body.js';
import { graphqlFaults } from './field-fault.js';

/** What a caller is refused, and where in its document. */
export interface Refusal {
  error: DomainError;
  locations?: readonly { line: number; column: number }[] | undefined;
  path?: readonly (string | number)[] | undefined;
  /** Set if GraphQL itself rejected the request, its document or its variables. */
  byGraphQL?: { message: string; status: number; code?: 'GRAPHQL_PARSE_FAILED' } | undefined;
}

export const statusOf = ({ error, byGraphQL }: Refusal): number =>
  byGraphQL?.status ?? catalogue[error.code].status;

/** An entry of `errors[]` (Contract 7.2.1). */
export function toGraphQLError(
  refusal: Refusal,
  { language, requestId }: { language: Language; requestId: string },
) {
  const { error, locations, path, byGraphQL } = refusal;
  const { faults, challenge, current, hint } = error.details;
  return {
    message: byGraphQL?.message ?? withHint(catalogue[error.code].message, language, hint?.[language]),
    ...(locations && { locations }),
    ...(path && { path }),
    extensions: {
      code: byGraphQL?.code ?? graphqlCode(error),
      error: error.code,
      status: statusOf(refusal),
      ...(faults && { fields: faults.flatMap((fault) => graphqlFaults(fault, language)) }),
      ...(challenge?.reason === 'insufficient-scope' && { scope: challenge.scope }),
      ...(current && { currentVersion: current.version, changedFields: current.changedFields }),
      requestId,
    },
  };
}

/** Whether another token is needed: the call has none, or a bad one. */
export const isUnauthenticated = ({ details: { challenge } }: DomainError): boolean =>
  challenge?.reason === 'no-token' || challenge?.reason === 'invalid-token';

const graphqlCode = (error: DomainError): GraphQLCode =>
  isUnauthenticated(error) ? 'UNAUTHENTICATED' : catalogue[error.code].graphqlCode;
