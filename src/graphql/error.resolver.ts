import 'reflect-metadata';
import { Ctx, Resolver } from 'type-graphql';
import { type RequestContext } from '../access/request-context.js';
import { RootField } from '../access/root-field.js';
import { errorCodes } from '../errors/catalogue.js';
import { ErrorDescriptionType, toErrorDescription } from './error.types.js';

@Resolver()
export class ErrorResolver {
  @RootField('errors', () => [ErrorDescriptionType], 'Every error that a caller can get.')
  list(@Ctx() { language }: RequestContext): ErrorDescriptionType[] {
    return errorCodes.map((code) => toErrorDescription(code, language));
  }
}
