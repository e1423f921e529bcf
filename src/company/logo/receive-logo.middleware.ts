import { type IMiddlewareFunction } from 'graphql-middleware';
import { callerOf, type RequestContext } from '../../access/request-context.js';
import { type LogoIntake } from './logo-intake.js';
import { uploadError } from './upload-error.js';
import { type UploadedFile } from './uploaded-file.js';

interface LogoArguments {
  input: { logo?: Promise<UploadedFile> | null };
}

/**
 * Receives the file of a call before anything that others could wait for is taken, a place among the calls under way or
 * a unit of the quota: how long it takes to come, its sender decides (Contract 8.6.5). It is held until the call ends.
 * @throws DomainError as uploadError says
 */
export function receiveLogo(intake: LogoIntake): IMiddlewareFunction<unknown, RequestContext, LogoArguments> {
  return async (resolve, parent, args: LogoArguments, context: RequestContext, info) => {
    const { logo, ...fields } = args.input;
    if (!logo) return resolve(parent, args, context, info) as unknown;
    return intake.lend(callerOf(context).subject, async (hold) => {
      const file = await logo.then(hold).catch((error: unknown) => {
        throw uploadError(error);
      });
      const held = { ...args, input: { ...fields, logo: Promise.resolve(file) } };
      return resolve(parent, held, context, info) as unknown;
    });
  };
}
