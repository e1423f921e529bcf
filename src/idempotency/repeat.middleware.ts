import { createHash } from 'node:crypto';
import { isCounted } from '../access/quotas.js';
import { callerOf, type Middleware, type RequestContext } from '../access/request-context.js';
import { type HeldFile } from '../company/logo/logo-intake.js';
import { DomainError } from '../errors/domain-error.js';
import { type Bucket, operations, type RootField } from '../operations.js';
import { type IdempotencyService } from './idempotency.service.js';

interface RepeatableArguments {
  idempotencyKey?: string | null;
  dryRun?: boolean | null;
  input?: { mediaPublicId?: string; logo?: Promise<HeldFile> | null };
}

/** Fields that are missing in payloads stored by 1.0.0. */
interface StoredPayload {
  company?: { mediaPublicIds?: string[] };
  job?: { mediaPublicId?: string };
}

/**
 * Answers a repeated mutation before it spends a unit of its quota (Contract 7.6, 9.3). Inputs are equal if their JSON is equal,
 * files if their bytes are. `spend` spends a unit, or throws if none is left.
 */
export function repeat(
  service: IdempotencyService,
  spend: (bucket: Bucket, context: RequestContext) => Promise<void>,
): Middleware {
  return async (resolve, parent, args: RepeatableArguments, context, info) => {
    const { idempotencyKey: key, dryRun, input, ...others } = args;
    if (key == null || dryRun) return resolve(parent, args, context, info) as unknown;

    const { logo, ...fields } = input ?? { ...others, expectedVersion: undefined, logo: undefined };
    const file = await logo;
    const digest = file && createHash('sha256').update(file.bytes).digest('base64url');
    // Never change how `input` is built: its digest is stored for 24 h, so repeated calls would fail after an upgrade
    // (Contract 9.3.3).
    const repeatable = {
      caller: callerOf(context, info.fieldName as RootField),
      operation: info.fieldName,
      key,
      input: JSON.stringify({
        ...fields,
        ...(digest && { logo: digest }),
        // Fields of the body that REST could not read are part of the input too.
        refused: context.readFaults.map(({ code }) => code),
      }),
    };
    let hasRun = false;
    try {
      const { payload, isReplayed } = await service.once(repeatable, async (call) => {
        hasRun = true;
        return resolve(parent, args, { ...context, call }, info) as unknown;
      });
      if (!isReplayed) return payload;
      context.isReplayed = true;
      return withMedia(payload as StoredPayload, input?.mediaPublicId);
    } catch (error) {
      // A call rejected because of its key spends a unit, even if a document has several such calls (Contract 8.2.6).
      if (!hasRun && error instanceof DomainError && isCounted(error))
        await spend(operations[info.fieldName as RootField].bucket, context);
      throw error;
    }
  };
}

/** Adds the media to a payload stored by 1.0.0, which lacks it. Calls to 1.0.0 always named the media. */
function withMedia(payload: StoredPayload, mediaPublicId = ''): StoredPayload {
  if (payload.company) payload.company.mediaPublicIds ??= [mediaPublicId];
  if (payload.job) payload.job.mediaPublicId ??= mediaPublicId;
  return payload;
}
