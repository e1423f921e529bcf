import { type IMiddlewareFunction } from 'graphql-middleware';
import { callerOf, type RequestContext } from '../access/request-context.js';
import { holdUpload } from '../company/logo/held-upload.js';
import { type UploadedFile } from '../company/logo/uploaded-file.js';
import { type IdempotencyService } from './idempotency.service.js';

interface RepeatableArguments {
  idempotencyKey?: string | null;
  dryRun?: boolean | null;
  input: { logo?: Promise<UploadedFile> | null };
}

/**
 * Answers a repeated mutation before it spends a unit of its quota (Contract 7.6, 9.3). GraphQL coerces an input in the
 * order of its type, so that equal inputs print alike; of a file, its content counts.
 */
export function idempotency(
  service: IdempotencyService,
  options: { logoMaxBytes: number },
): IMiddlewareFunction<unknown, RequestContext, RepeatableArguments> {
  return async (resolve, parent, args: RepeatableArguments, context: RequestContext, info) => {
    const { idempotencyKey: key, dryRun, input } = args;
    if (key == null || dryRun) return resolve(parent, args, context, info) as unknown;

    const { logo, ...fields } = input;
    const held = logo ? await holdUpload(logo, options.logoMaxBytes) : undefined;
    const repeatable = {
      subject: callerOf(context).subject,
      operation: info.fieldName,
      key,
      input: JSON.stringify({ ...fields, ...(held && { logo: held.digest }) }),
    };
    const heldArgs = held ? { ...args, input: { ...input, logo: held.upload } } : args;
    const { payload, isReplayed } = await service.once(
      repeatable,
      async () => resolve(parent, heldArgs, context, info) as unknown,
    );
    if (isReplayed) context.isReplayed = true;
    return payload;
  };
}
