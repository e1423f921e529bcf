import { type FastifyReply, type FastifyRequest } from 'fastify';
import { type CountRefusal, isCounted } from '../access/quotas.js';
import { replyHeaders } from '../access/reply-headers.js';
import { type Answered, type Operation } from '../graphql/prepare-operation.js';
import { contextOf, type Reading } from '../graphql/context-of.js';
import { namingTypes } from '../http/body-parsers.js';
import { operations, type RootField } from '../operations.js';
import { requestError } from '../http/server.js';

interface Call<Data> {
  operation: Operation<Data>;
  variables: Record<string, unknown>;
  reading?: Reading;
}

/** Runs an operation, and sets the headers that tell of it whether or not it succeeds. */
export async function run<Data>(
  request: FastifyRequest,
  reply: FastifyReply,
  { operation, variables, reading }: Call<Data>,
): Promise<Answered<Data>> {
  const context = contextOf(request, 'rest', reading);
  void reply.header('vary', 'accept-language');
  try {
    return await operation(variables, context);
  } finally {
    void reply.headers(replyHeaders(context));
  }
}

/**
 * Makes an error handler that counts a caller's refused request as a call of the operation, if it has spent
 * nothing, and then hands the error on.
 * @param accepts the accepted types of body, and the headers that name them where another type is refused (Contract 7.1.3)
 */
export const counted =
  (
    field: RootField,
    countRefusal: CountRefusal,
    accepts?: { types: readonly string[]; headers: readonly string[] },
  ) =>
  async (error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<never> => {
    let refusal = requestError(error, request);
    if (accepts && refusal.code === 'content-type-not-supported') {
      refusal = namingTypes(refusal, accepts.types);
      for (const header of accepts.headers) void reply.header(header, accepts.types.join(', '));
    }
    const isFree = !reply.hasHeader('ratelimit-limit');
    if (!request.caller || !isFree || !isCounted(refusal)) throw refusal;
    const context = contextOf(request, 'rest');
    const overdrawn = await countRefusal(operations[field].bucket, context);
    void reply.headers(replyHeaders(context));
    throw overdrawn ?? refusal;
  };
