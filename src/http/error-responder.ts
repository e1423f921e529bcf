import { type FastifyError, type FastifyReply, type FastifyRequest } from 'fastify';
import { type FailureLimiter } from '../quotas/failure-limiter.js';
import { isCounted, type Quotas, replyExtensions, replyHeaders } from '../quotas/quotas.js';
import { contextOf, type RequestContext } from '../permissions/request-context.js';
import { toDomainError } from '../database/database-errors.js';
import { catalogue, type ErrorCode } from '../errors/catalogue.js';
import { DomainError, tooLarge } from '../errors/domain-error.js';
import {
  errorHeaders,
  type ErrorLinks,
  isUnauthenticated,
  type Refusal,
  statusOf,
  toErrorBody,
  toGraphQLError,
} from '../errors/refusal.js';
import { type Report } from '../log/log.js';
import { type Bucket, type Method } from '../operations.js';
import { namingTypes } from './read-request.js';

/** The statuses of errors that set the status of a reply without data, most serious first. */
const decisiveStatuses = [500, 503, 429, 401];

/** A list can cause an error for each field of each node. */
const mostErrors = 50;

const fileHeaders = ['etag', 'last-modified', 'accept-ranges'];

interface RefusedCall extends Pick<ErrorHandlerOptions, 'bucket'> {
  context: RequestContext;
  /** The data of a GraphQL operation that has run, besides its errors. */
  data?: Readonly<Record<string, unknown>> | null | undefined;
}

interface ErrorReply {
  status: number;
  headers: Record<string, string>;
  body: object;
}

/** The routes of an API share this when they send an error. */
export interface ErrorHandlerOptions {
  api: RequestContext['api'];
  /** Charged if the call has spent nothing yet. */
  bucket: Bucket;
  /** The accepted content types, which a 415 names. */
  types?: readonly string[];
  /** The methods whose `Accept-…` header lists the types. */
  methods?: readonly Method[];
  /** Content type of the reply; default: JSON. */
  replyType?: (request: FastifyRequest) => string;
}

/** The only way out for what a caller is refused, over both APIs. */
export class ErrorResponder {
  constructor(
    private readonly quotas: Pick<Quotas, 'spendOnce'>,
    private readonly failures: FailureLimiter,
    private readonly report: Report,
    private readonly links: ErrorLinks = {},
  ) {}

  /** Charges the call, reports what it shows, and forms the reply. Call it once per request. */
  async refuse(refusals: readonly Refusal[], call: RefusedCall): Promise<ErrorReply> {
    const { context, data } = call;
    const reported = (await this.charge(refusals, call)).slice(0, mostErrors) as [Refusal, ...Refusal[]];
    const [{ error }, ...others] = reported;
    context.work.code = error.code;
    this.report([error, ...others.map((each) => each.error)], context);
    if (context.api === 'rest') {
      const body = toErrorBody(error, context.language);
      return {
        status: body.status,
        headers: { ...replyHeaders(context), ...errorHeaders(error, this.links) },
        body,
      };
    }
    const status = data === undefined ? statusOf(reported[0]) : statusBeside(data, reported);
    // Beside a status of 200, a lone refusal for lack of authority still has its challenge.
    const decisive = reported.find(
      (each) => statusOf(each) === status || (reported.length === 1 && isUnauthorized(each)),
    );
    return {
      status,
      headers: {
        ...replyHeaders(context),
        ...(decisive && errorHeaders(decisive.error, this.links)),
      },
      body: {
        errors: reported.map((each) => toGraphQLError(each, context, this.links)),
        extensions: replyExtensions(context),
      },
    };
  }

  async send(
    refusals: readonly Refusal[],
    request: FastifyRequest,
    reply: FastifyReply,
    options: ErrorHandlerOptions,
  ) {
    const context = contextOf(request, options.api);
    const { status, headers, body } = await this.refuse(refusals, { context, bucket: options.bucket });
    // If a file could not be read, remove its headers, or the error would look like the file.
    for (const name of reply.raw.getHeaderNames()) reply.raw.removeHeader(name);
    for (const name of fileHeaders) void reply.removeHeader(name);
    if (options.replyType) void reply.type(options.replyType(request));
    return reply.code(status).headers(headers).send(body);
  }

  /** An error handler for some routes. */
  readonly errorHandler =
    (options: ErrorHandlerOptions) =>
    async (thrown: unknown, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const { types, methods = [] } = options;
      let error = requestError(thrown, request);
      if (types && error.code === 'content-type-not-supported') {
        error = namingTypes(error, types);
        for (const method of methods) void reply.header(`accept-${method}`, types.join(', '));
      }
      return this.send([{ error }], request, reply, options);
    };

  /** Where the charge exceeds its quota, rate-limit-exceeded replaces what was charged, and without data everything. */
  private async charge(refusals: readonly Refusal[], { context, bucket, data }: RefusedCall) {
    let reported = refusals;
    for (const charge of ['failure', 'call'] as const) {
      const isCharged = ({ error }: Refusal) => chargeOf(error, context) === charge;
      if (!reported.some(isCharged)) continue;
      const overdrawn =
        charge === 'failure' ? this.countFailure(context) : await this.quotas.spendOnce(bucket, context);
      if (!overdrawn) continue;
      if (!hasValue(data)) return [{ error: overdrawn }];
      reported = reported.map((each) =>
        isCharged(each) ? { ...each, error: overdrawn, byGraphQL: undefined } : each,
      );
    }
    return reported;
  }

  /** Counts against the caller's subject, or without a caller against its address. */
  private countFailure({ caller, address }: RequestContext): DomainError | null {
    const of = caller ? { subject: caller.subject } : address !== null && { address };
    const retryAfterSeconds = of ? this.failures.consume(of) : null;
    return retryAfterSeconds === null ? null : new DomainError('rate-limit-exceeded', { retryAfterSeconds });
  }
}

/** Without a token, every 4xx counts against the address: even an unknown path costs time. */
function chargeOf(error: DomainError, { caller }: RequestContext): 'failure' | 'call' | null {
  if (catalogue[error.code].status >= 500) return null;
  if (!caller || error.details.isFailure) return 'failure';
  return isCounted(error) ? 'call' : null;
}

const isUnauthorized = ({ error }: Refusal): boolean => error.code === 'unauthorized-limitation';

const hasValue = (data: RefusedCall['data']): boolean =>
  Object.values(data ?? {}).some((value) => value !== null);

function statusBeside(data: RefusedCall['data'], reported: readonly Refusal[]): number {
  // 401 would make a front-end sign its user out because of one record out of reach.
  const decisive = reported.filter((each) => !isUnauthorized(each) || isUnauthenticated(each.error));
  const statuses = hasValue(data) ? [] : decisive.map(statusOf);
  return decisiveStatuses.find((status) => statuses.includes(status)) ?? 200;
}

const frameworkCodes: Record<number, ErrorCode> = {
  412: 'version-conflict',
  415: 'content-type-not-supported',
};

/** The catalogue's error for an error that a hook, a parser or a handler threw. */
function requestError(error: unknown, request: FastifyRequest): DomainError {
  const { statusCode = 500, code, message } = (error ?? {}) as Partial<FastifyError>;
  if (statusCode === 413) return tooLarge(request.routeOptions.bodyLimit, undefined, { cause: error });
  // ECONNRESET alone could also be a lost database connection.
  const hasLeft = code === 'ECONNRESET' && message === 'aborted';
  const isRefusal = statusCode >= 400 && statusCode < 500;
  if (!hasLeft && !isRefusal) return toDomainError(error);
  return new DomainError(frameworkCodes[statusCode] ?? 'body-format-error', { cause: error });
}
