import { type ApolloServerPlugin } from '@apollo/server';
import { GraphQLError, Kind, type OperationDefinitionNode, OperationTypeNode } from 'graphql';
import { type Bucket, type CountRefusal } from '../access/quotas.js';
import { replyHeaders } from '../access/reply-headers.js';
import { type RequestContext, tightestBucket } from '../access/request-context.js';
import { catalogue } from '../errors/catalogue.js';
import { DomainError } from '../errors/domain-error.js';
import { errorHeaders } from '../errors/error-headers.js';
import { describeError } from './describe-error.js';

/** Statuses that change that of the reply when there is no data at all, the gravest first (Contract 7.2). */
const decisiveStatuses = [500, 503, 429, 401];

/** The most errors that a reply tells of, so that it stays short: a list may have one for each field of each node. */
const mostErrors = 50;

/** Gives every reply its described errors, its HTTP status and headers, and the state of the quota. */
export function replyPlugin(
  report: (error: DomainError, requestId: string) => void,
  { hasHints, countRefusal }: { hasHints: boolean; countRefusal: CountRefusal },
): ApolloServerPlugin<RequestContext> {
  return {
    requestDidStart: async () => ({
      willSendResponse: async ({ response, errors = [], contextValue, operation }) => {
        if (response.body.kind !== 'single') return;
        const { singleResult } = response.body;
        const { requestId } = contextValue;

        const isFree =
          !('data' in singleResult) || errors.some(({ originalError }) => isFreeRefusal(originalError));
        const overdrawn =
          errors.length > 0 && isFree ? await countRefusal(bucketOf(operation), contextValue) : null;
        if (overdrawn) delete singleResult.data;
        const told = overdrawn ? [new GraphQLError('', { originalError: overdrawn })] : errors;
        const described = told
          .slice(0, mostErrors)
          .map((error) => describeError(error, { ...contextValue, hasHints }));
        const domainErrors = described.flatMap(({ domainError }) => domainError ?? []);
        for (const error of domainErrors) report(error, requestId);
        if (described.length > 0) singleResult.errors = described.map(({ formatted }) => formatted);

        // Apollo answers 200 to a document that is named by its hash alone.
        const [first] = described;
        if (first && !first.domainError && !('data' in singleResult))
          response.http.status = first.formatted.extensions.status;

        const hasData = Object.values(singleResult.data ?? {}).some((value) => value !== null);
        if (!hasData && domainErrors.length > 0) {
          const statuses = domainErrors.map(({ code }) => catalogue[code].status);
          const status = decisiveStatuses.find((decisive) =>
            statuses.includes(decisive as (typeof statuses)[number]),
          );
          const decisive = domainErrors.find(({ code }) => catalogue[code].status === status);
          if (status !== undefined) response.http.status = status;
          if (decisive) setHeaders(response.http.headers, errorHeaders(decisive));
        }
        const bucket = tightestBucket(contextValue);
        if (bucket) singleResult.extensions = { ...singleResult.extensions, rateLimit: bucket };
        setHeaders(response.http.headers, replyHeaders(contextValue));
      },
    }),
  };
}

/** What refuses a call before it has spent a unit of its quota. */
const isFreeRefusal = (error: unknown): boolean =>
  error instanceof DomainError &&
  (error.code === 'idempotency-key-reuse' || error.code === 'validation-failed');

/** The bucket of an operation that did not run; of none, as of a document that cannot be read, that of queries. */
function bucketOf(operation: OperationDefinitionNode | undefined): Bucket {
  if (operation?.operation !== OperationTypeNode.MUTATION) return 'read';
  const isOfJob = operation.selectionSet.selections.some(
    (selection) => selection.kind === Kind.FIELD && selection.name.value === 'updateJob',
  );
  return isOfJob ? 'updateJob' : 'mutation';
}

function setHeaders(target: Map<string, string>, headers: Record<string, string>): void {
  for (const [name, value] of Object.entries(headers)) target.set(name, value);
}
