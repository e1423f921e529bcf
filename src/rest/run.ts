import { type FastifyReply, type FastifyRequest } from 'fastify';
import { type Bucket, type CountRefusal, isCounted } from '../access/quotas.js';
import { replyHeaders } from '../access/reply-headers.js';
import { type Answered, type Operation } from '../graphql/prepare-operation.js';
import { contextOf, type Reading } from '../http/context-of.js';
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
 * Makes an error handler that counts a caller's refused request if it has spent nothing, and then hands the error on.
 * @param accepted headers that name the accepted types of body, for the refusal of another type (Contract 7.1.3)
 */
export const counted =
  (bucket: Bucket, countRefusal: CountRefusal, accepted: Record<string, string> = {}) =>
  async (error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<never> => {
    const refusal = requestError(error, request);
    if (refusal.code === 'content-type-not-supported') void reply.headers(accepted);
    const isFree = !reply.hasHeader('ratelimit-limit');
    if (!request.caller || !isFree || !isCounted(refusal)) throw refusal;
    const context = contextOf(request, 'rest');
    const overdrawn = await countRefusal(bucket, context);
    void reply.headers(replyHeaders(context));
    throw overdrawn ?? refusal;
  };
