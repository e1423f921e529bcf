import { GraphQLError, type GraphQLResolveInfo, responsePathAsArray } from 'graphql';
import { createHash } from 'node:crypto';
import { authorityOf } from '../access/caller.js';
import { isCounted, type Quotas } from '../access/quotas.js';
import { callerOf, type Middleware } from '../access/request-context.js';
import { type HeldFile } from '../company/logo/logo-intake.js';
import { DomainError } from '../errors/domain-error.js';
import { type RootField } from '../operations.js';
import { type IdempotencyService } from '../idempotency/idempotency.service.js';
import { toDomainError } from '../database/mask-error.js';
import { type Metrics } from '../metrics/metrics.js';
import { type Tracing } from '../tracing/start-tracing.js';

/** Measures and traces a root field, and trims the ids in its arguments. */
export const rootFieldMiddleware =
  (metrics: Metrics, tracing: Tracing | undefined): Middleware =>
  async (resolve, parent, args, context, info) => {
    const operation = info.fieldName;
    const run = async () => resolve(parent, trimIds(args as object), context, info) as unknown;
    const end = metrics.operations.startTimer({ operation });
    context.work.fields.add(operation);
    metrics.inFlight.operations += 1;
    try {
      return await (tracing ? tracing.operation(info, run) : run());
    } catch (error) {
      metrics.operationErrors.inc({ operation, code: toDomainError(error).code });
      throw error instanceof DomainError && context.transport === 'graphql' ? withPath(error, info) : error;
    } finally {
      metrics.inFlight.operations -= 1;
      end();
    }
  };

/** Adds the path before graphql-js does: graphql-js would also collect a stack, a fifth of the time of a refused call. */
function withPath(originalError: DomainError, { fieldNodes, path }: GraphQLResolveInfo): GraphQLError {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  const error = new GraphQLError(originalError.message, {
    nodes: fieldNodes,
    path: responsePathAsArray(path),
    originalError,
  });
  Error.stackTraceLimit = stackTraceLimit;
  return error;
}

export const trimIds = <Args extends object>(args: Args): Args =>
  Object.fromEntries(
    Object.entries(args).map(([name, value]: [string, unknown]) => [
      name,
      name === 'input' ? trimIds(value as object) : isPublicId(name, value) ? value.trim() : value,
    ]),
  ) as Args;

const isPublicId = (name: string, value: unknown): value is string =>
  typeof value === 'string' && /publicId$/i.test(name);

interface RepeatableArguments {
  idempotencyKey?: string | null;
  dryRun?: boolean | null;
  input?: { mediaPublicId?: string; logo?: Promise<HeldFile> | null };
}

/**
 * Answers a repeated mutation before it spends quota (Contract 7.6, 9.3), except for what its payload reads. Inputs are equal if their
 * JSON and the bytes of their files are equal. A call that is rejected because of its key spends its units.
 */
export function repeat(
  service: IdempotencyService,
  quotas: Pick<Quotas, 'arrive' | 'arriveReplayed'>,
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
      authority: authorityOf(callerOf(context, info.fieldName as RootField)),
      operation: info.fieldName,
      key,
      input: JSON.stringify({
        ...fields,
        ...(digest && { logo: digest }),
        // Fields that REST could not read count too, by the codes of their faults.
        refused: context.readFaults.map(({ code }) => code),
      }),
    };
    const arrival = { context, field: String(info.path.key) };
    let hasRun = false;
    try {
      const { payload, isReplayed } = await service.once(repeatable, async (call) => {
        hasRun = true;
        return resolve(parent, args, { ...context, call }, info) as unknown;
      });
      if (isReplayed) {
        await quotas.arriveReplayed(arrival);
        context.isReplayed = true;
      }
      return payload;
    } catch (error) {
      // Each call that is rejected because of its key spends a unit (Contract 8.2.6).
      if (!hasRun && error instanceof DomainError && isCounted(error)) await quotas.arrive(arrival);
      throw error;
    }
  };
}
