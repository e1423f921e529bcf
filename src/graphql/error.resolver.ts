import 'reflect-metadata';
import { Ctx, Field, Int, ObjectType, Resolver } from 'type-graphql';
import { type RequestContext } from '../access/request-context.js';
import { RootField } from '../access/root-field.js';
import { catalogue, type CatalogueEntry, type ErrorCode, errorCodes } from '../errors/catalogue.js';
import { type FaultReason, faultReasons } from '../errors/fault-reason.js';
import { choiceEnum } from '../fields/field.types.js';

const ErrorCodeEnum = choiceEnum<ErrorCode>(
  'ErrorCode',
  'Error codes. `extensions.error` writes them with hyphens.',
  Object.fromEntries(errorCodes.map((code) => [code, catalogue[code].message.en])) as Record<
    ErrorCode,
    string
  >,
);

const FaultReasonEnum = choiceEnum<FaultReason>(
  'FaultReason',
  'What is wrong with a field: `reason` in `extensions.fields`.',
  faultReasons,
);

@ObjectType('ErrorDescription', {
  simpleResolvers: true,
  description: 'An error that a caller can get.',
})
class ErrorDescriptionType {
  @Field(() => ErrorCodeEnum, { description: 'Error code, as the schema spells it.' })
  code!: ErrorCode;

  @Field(() => String, {
    description: 'Error code, as replies spell it: `extensions.error` in GraphQL, `error` in REST.',
  })
  error!: string;

  @Field(() => Int, { description: 'HTTP status in REST, `extensions.status` in GraphQL.' })
  status!: number;

  @Field(() => String, {
    description: '`extensions.code`, but UNAUTHENTICATED if the token is missing or invalid.',
  })
  graphqlCode!: string;

  @Field(() => String, { description: 'The message, in the requested language.' })
  message!: string;

  @Field(() => [FaultReasonEnum], {
    description:
      'The reasons that `extensions.fields` of the error can have; empty if no input causes the error.',
  })
  reasons!: readonly FaultReason[];
}

@Resolver()
export class ErrorResolver {
  @RootField('errors', () => [ErrorDescriptionType], 'Every error that a caller can get.')
  list(@Ctx() { language }: RequestContext): ErrorDescriptionType[] {
    return errorCodes.map((code) => {
      const { status, graphqlCode, message, reasons = [] }: CatalogueEntry = catalogue[code];
      return { code, error: code, status, graphqlCode, message: message[language], reasons };
    });
  }
}
