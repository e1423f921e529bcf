import { GraphQLEnumType } from 'graphql';
import { catalogue, errorCodes, faultReasons } from '../errors/catalogue.js';
import { type UnauthorizedReason } from '../errors/unauthorized-reason.js';
import { enumName } from '../fields/field.graphql.js';

const enumOf = (name: string, description: string, values: Record<string, string>) =>
  new GraphQLEnumType({
    name,
    description,
    values: Object.fromEntries(Object.entries(values).map(([value, text]) => [value, { description: text }])),
  });

/** The values in the `extensions` of an error. No field has these types: they are in the schema for code generators. */
export const errorEnums = [
  enumOf(
    'ErrorCode',
    'Error codes. `extensions.error` writes them with hyphens.',
    Object.fromEntries(errorCodes.map((code) => [enumName(code), catalogue[code].message.en])),
  ),
  enumOf('FaultReason', 'What is wrong with a field: `reason` in `extensions.fields`.', faultReasons),
  enumOf('UnauthorizedReason', 'Why a caller lacks authority: `reason` in `extensions` of the error.', {
    token_missing: 'The request has no token.',
    token_invalid:
      'The token is not valid, is revoked, or is bound to a key. `WWW-Authenticate` says what is wrong.',
    token_expired: 'The token was valid, but has expired: get a new one.',
    scope_missing: 'The token lacks the scope that `scope` in `extensions` names.',
    role_missing: 'The token has none of the roles that may do this.',
    out_of_reach: 'The media or record is absent, or is out of reach of the token. Nothing tells which.',
  } satisfies Record<UnauthorizedReason, string>),
];
