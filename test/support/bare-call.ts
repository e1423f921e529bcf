import { AnswerBudget } from '../../src/content/answer-budget.js';
import { execute, type GraphQLSchema, parse } from 'graphql';
import { type RequestContext, tightestBucket } from '../../src/access/request-context.js';
import { toDomainError } from '../../src/errors/mask-error.js';

/**
 * Runs an operation as the caller `subject`, without a gateway.
 * @returns `answer`: the code of the first error or else the value of the first field; `remaining`: the calls left in the tightest bucket
 */
export async function bareCall(
  schema: GraphQLSchema,
  query: string,
  subject: string,
  rootValue: Record<string, unknown>,
): Promise<{ answer: unknown; remaining: number | undefined }> {
  const contextValue: RequestContext = {
    requestId: 'r',
    transport: 'graphql',
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
    readFaults: [],
    unknownFields: [],
    buckets: new Map(),
    budget: new AnswerBudget(),
    reply: { isSettled: false },
  };
  const { data, errors } = await execute({ schema, document: parse(query), contextValue, rootValue });
  const [error] = errors ?? [];
  return {
    answer: error ? toDomainError(error.originalError).code : Object.values(data ?? {})[0],
    remaining: tightestBucket(contextValue)?.remaining,
  };
}
