import { catalogue, type GraphQLCode, type Language } from './catalogue.js';
import { type DomainError } from './domain-error.js';
import { toErrorBody } from './error-body.js';

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
  const fields = error.details.faults?.map((fault) => ({
    path: [...(fault.isArgument ? [] : ['input']), fault.field],
    code: fault.code,
    message: fault.message[language],
  }));
  return {
    message: byGraphQL?.message ?? toErrorBody(error, language).errorMessage,
    ...(locations && { locations }),
    ...(path && { path }),
    extensions: {
      code: byGraphQL?.code ?? graphqlCode(error),
      error: error.code,
      status: statusOf(refusal),
      ...(fields && { fields }),
      requestId,
    },
  };
}

function graphqlCode({ code, details: { challenge } }: DomainError): GraphQLCode {
  const isUnauthenticated = challenge?.reason === 'no-token' || challenge?.reason === 'invalid-token';
  return isUnauthenticated ? 'UNAUTHENTICATED' : catalogue[code].graphqlCode;
}
