import { ReplyBudget } from '../../src/paging/reply-budget.js';
import { execute, getOperationAST, type GraphQLSchema, parse } from 'graphql';
import { tightestBucket } from '../../src/quotas/quotas.js';
import { OperationCost, type RequestContext, RequestWork } from '../../src/permissions/request-context.js';
import { pricing } from '../../src/graphql/bounds/price-operation.js';
import { toDomainError } from '../../src/database/database-errors.js';

/** The cost of an operation. */
function billOf(
  schema: GraphQLSchema,
  query: string,
  variables: Record<string, unknown> = {},
): OperationCost {
  const document = parse(query);
  const operation = getOperationAST(document) ?? undefined;
  const price = pricing(schema)({ document, operation, variables });
  return Object.assign(new OperationCost(), { price });
}

/**
 * Runs an operation as the caller `subject`, without a gateway.
 * @returns `answer`: the code of the first error or else the value of the first field; `remaining`: the units left in the tightest bucket
 */
export async function bareCall(
  schema: GraphQLSchema,
  query: string,
  subject: string,
  rootValue: Record<string, unknown>,
): Promise<{ answer: unknown; remaining: number | undefined }> {
  const contextValue: RequestContext = {
    requestId: 'r',
    api: 'graphql',
    caller: {
      subject,
      roles: new Set(),
      scopes: new Set(),
      media: undefined,
      brand: undefined,
      expiresAt: new Date(8.64e15),
    },
    address: null,
    language: 'en',
    unknownFields: [],
    work: new RequestWork(),
    cost: billOf(schema, query),
    budget: new ReplyBudget(),
    reply: { isFormatted: false },
    parseFaults: [],
  };
  const { data, errors } = await execute({ schema, document: parse(query), contextValue, rootValue });
  const [error] = errors ?? [];
  return {
    answer: error ? toDomainError(error.originalError).code : Object.values(data ?? {})[0],
    remaining: tightestBucket(contextValue.cost)?.remaining,
  };
}
