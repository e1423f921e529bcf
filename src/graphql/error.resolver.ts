import 'reflect-metadata';
import { Ctx, Resolver } from 'type-graphql';
import { type RequestContext } from '../permissions/request-context.js';
import { RootField } from '../permissions/root-field.js';
import {
  catalogue,
  type CatalogueEntry,
  type ErrorCode,
  errorCodes,
  faultReasons,
  graphqlCodeOf,
  type Language,
} from '../errors/catalogue.js';
import { type UnauthorizedReason, unauthorizedReasons } from '../errors/unauthorized-reason.js';
import { choiceEnum, buildObjectType } from '../fields/field.graphql.js';
import { field, type RowsFor } from '../fields/row.rules.js';

const ErrorCodeEnum = choiceEnum('ErrorCode', 'Error codes. `extensions.error` writes them with hyphens.');

const FaultReasonEnum = choiceEnum(
  'FaultReason',
  'What is wrong with a field: `reason` in `extensions.fields`.',
  faultReasons,
);

const everyReason = Object.keys(unauthorizedReasons) as UnauthorizedReason[];

const UnauthorizedReasonEnum = choiceEnum(
  'UnauthorizedReason',
  'Why a caller lacks authority: `reason` in `extensions` of the error.',
  {
    token_missing: 'The request has no token.',
    token_invalid:
      'The token is not valid, is revoked, or is bound to a key. `WWW-Authenticate` says what is wrong.',
    token_expired: 'The token was valid, but has expired: get a new one.',
    scope_missing: 'The token lacks the scope that `scope` in `extensions` names.',
    role_missing: 'The token has none of the roles that may do this.',
    out_of_reach: 'The media or record is absent, or is out of reach of the token. Nothing tells which.',
  },
);

function describeError(code: ErrorCode, language: Language) {
  const { status, message, reasons = [] }: CatalogueEntry = catalogue[code];
  const graphqlCode = graphqlCodeOf(code);
  return {
    ...{ code, error: code, status, graphqlCode, message: message[language], reasons },
    unauthorizedReasons: code === 'unauthorized-limitation' ? everyReason : [],
  };
}

const errorDescription = {
  description: 'An error that a caller can get.',
  fields: {
    code: field('ErrorCode!', 'Error code, as the schema spells it.', null),
    error: field(
      'String!',
      'Error code, as replies spell it: `extensions.error` in GraphQL, `error` in REST.',
      null,
    ),
    status: field('Int!', 'HTTP status in REST, `extensions.status` in GraphQL.', null),
    graphqlCode: field(
      'String!',
      '`extensions.code`, but UNAUTHENTICATED if the token is missing or invalid.',
      null,
    ),
    message: field('String!', 'The message, in the requested language.', null),
    reasons: field(
      '[FaultReason!]!',
      'The reasons that `extensions.fields` of the error can have; empty if no input causes the error.',
      null,
    ),
    unauthorizedReasons: field(
      '[UnauthorizedReason!]!',
      'The reasons that `extensions.reason` of the error can have; empty if the error is not about authority.',
      null,
    ),
  } satisfies RowsFor<ReturnType<typeof describeError>>,
};

const ErrorDescriptionType = buildObjectType('ErrorDescription', errorDescription, {
  ErrorCode: ErrorCodeEnum,
  FaultReason: FaultReasonEnum,
  UnauthorizedReason: UnauthorizedReasonEnum,
});

@Resolver()
export class ErrorResolver {
  @RootField('errors', () => [ErrorDescriptionType], 'Every error that a caller can get.')
  list(@Ctx() { language }: RequestContext) {
    return errorCodes.map((code) => describeError(code, language));
  }
}
