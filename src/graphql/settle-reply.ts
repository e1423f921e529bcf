import {
  type DocumentNode,
  type FormattedExecutionResult,
  getOperationAST,
  GraphQLError,
  OperationTypeNode,
  separateOperations,
  visit,
} from 'graphql';
import { type ChargeRefusal, isCounted } from '../access/quotas.js';
import { replyExtensions, replyHeaders, type RequestContext } from '../access/request-context.js';
import { catalogue } from '../errors/catalogue.js';
import { DomainError } from '../errors/domain-error.js';
import { errorHeaders } from '../errors/error-headers.js';
import { type Report } from '../log/log.js';
import { type Bucket, buckets, operationOf } from '../operations.js';
import { describeError, isRefusedByGraphQL } from './describe-error.js';

/** The statuses of errors that set the status of a reply without data, most serious first (Contract 7.2). */
const decisiveStatuses = [500, 503, 429, 401];

/** A list can cause an error for each field of each node. */
const mostErrorsTold = 50;

interface Outcome {
  result: FormattedExecutionResult;
  errors: readonly GraphQLError[];
  /** Undefined if the document did not parse. */
  document: DocumentNode | undefined;
  operationName: string | null | undefined;
  context: RequestContext;
}

/** Changes the result. Returns the headers, and a status if it replaces Apollo's. */
export type SettleReply = (
  outcome: Outcome,
) => Promise<{ status: number | undefined; headers: Record<string, string> }>;

export const replySettler =
  (
    report: Report,
    { hasHints, chargeRefusal }: { hasHints: boolean; chargeRefusal: ChargeRefusal },
  ): SettleReply =>
  async ({ result, errors, document, operationName, context }) => {
    const overdrawn = errors.some(isRefusal)
      ? await chargeRefusal(bucketOfDocument(document, operationName), context)
      : null;
    if (overdrawn) delete result.data;
    const told = overdrawn ? [new GraphQLError('', { originalError: overdrawn })] : errors;
    const described = told
      .slice(0, mostErrorsTold)
      .map((error) => describeError(error, { ...context, hasHints }));
    const domainErrors = described.flatMap(({ domainError }) => domainError ?? []);
    for (const error of domainErrors) report(error, context.requestId);
    if (described.length > 0) result.errors = described.map(({ formatted }) => formatted);

    let status: number | undefined;
    let headers = {};
    const hasData = Object.values(result.data ?? {}).some((value) => value !== null);
    if (!hasData && domainErrors.length > 0) {
      const statuses: number[] = domainErrors.map(({ code }) => catalogue[code].status);
      status = decisiveStatuses.find((decisive) => statuses.includes(decisive));
      const decisive = domainErrors.find(({ code }) => catalogue[code].status === status);
      if (decisive) headers = errorHeaders(decisive);
    }
    const extensions = replyExtensions(context);
    if (extensions) result.extensions = { ...result.extensions, ...extensions };
    return { status, headers: { ...headers, ...replyHeaders(context) } };
  };

/** Whether a call with this error is charged, unless it has spent a unit. */
const isRefusal = (error: GraphQLError): boolean =>
  isRefusedByGraphQL(error) || (error.originalError instanceof DomainError && isCounted(error.originalError));

/** The bucket to charge: for a mutation the tightest of its root fields, otherwise `read`. */
function bucketOfDocument(
  document: DocumentNode | undefined,
  operationName: string | null | undefined,
): Bucket {
  const operation = document && getOperationAST(document, operationName);
  if (!document || operation?.operation !== OperationTypeNode.MUTATION) return 'read';
  const used = new Set<Bucket>(['mutation']);
  // Search fragments too: the root field can be in one.
  visit(separateOperations(document)[operation.name?.value ?? ''] ?? operation, {
    Field({ name }) {
      const row = operationOf(name.value);
      if (row?.kind === 'mutation') used.add(row.bucket);
    },
  });
  return (Object.keys(buckets) as Bucket[]).find((bucket) => used.has(bucket)) ?? 'mutation';
}
