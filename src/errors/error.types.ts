import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { catalogue, type ErrorCode, errorCodes, type Language } from './catalogue.js';

/** A code as GraphQL can name it: `job-not-found` is `job_not_found`. */
export const enumName = (code: ErrorCode): string => code.replaceAll('-', '_');

const byEnumName = <Value>(value: (code: ErrorCode) => Value): Record<string, Value> =>
  Object.fromEntries(errorCodes.map((code) => [enumName(code), value(code)]));

/** The catalogue's codes by their names in GraphQL. */
const ErrorCodeEnum = byEnumName((code) => code);
registerEnumType(ErrorCodeEnum, {
  name: 'ErrorCode',
  description:
    'The codes of the catalogue. `extensions.error` of an error has them with hyphens for underscores.',
  valuesConfig: byEnumName((code) => ({ description: catalogue[code].message.en })),
});

@ObjectType('ErrorDescription', {
  simpleResolvers: true,
  description: 'An error that a caller can meet.',
})
export class ErrorDescriptionType {
  @Field(() => ErrorCodeEnum, { description: 'Its code as the schema names it.' })
  code!: ErrorCode;

  @Field(() => String, {
    description: 'Its code as replies have it: `extensions.error` in GraphQL, `error` over REST.',
  })
  error!: string;

  @Field(() => Int, { description: 'HTTP status over REST, `extensions.status` in GraphQL.' })
  status!: number;

  @Field(() => String, {
    description: '`extensions.code` in GraphQL; UNAUTHENTICATED instead where the token is missing or bad.',
  })
  graphqlCode!: string;

  @Field(() => String, { description: 'What a person is told, in the language asked for.' })
  message!: string;
}

/** An entry of the catalogue as GraphQL shows it. */
export function toErrorDescription(code: ErrorCode, language: Language): ErrorDescriptionType {
  const { status, graphqlCode, message } = catalogue[code];
  return { code, error: code, status, graphqlCode, message: message[language] };
}
