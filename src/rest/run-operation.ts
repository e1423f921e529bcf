import { type FastifyReply, type FastifyRequest } from 'fastify';
import { type ChargeRefusal, isCounted } from '../access/quotas.js';
import { replyHeaders } from '../access/reply-headers.js';
import { type Answered, type Operation } from '../graphql/prepare-operation.js';
import { contextOf, type Reading } from '../graphql/context-of.js';
import { namingTypes } from '../http/body-parsers.js';
import { type DocumentedField, operations } from '../operations.js';
import { requestError } from '../http/server.js';
import { type BodyKind, contentTypes } from './read-form.js';

interface Call<Data> {
  operation: Operation<Data>;
  variables: Record<string, unknown>;
  reading?: Reading;
}

/** Runs an operation, and sets the headers that tell of it whether or not it succeeds. */
export async function runOperation<Data>(
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
 * @param kinds the accepted types of body, which headers name where another type is refused (Contract 7.1.3)
 */
export const refusalHandler =
  (field: DocumentedField, chargeRefusal: ChargeRefusal, kinds: readonly BodyKind[]) =>
  async (error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<never> => {
    let refusal = requestError(error, request);
    if (kinds.length > 0 && refusal.code === 'content-type-not-supported') {
      const types = kinds.map((kind) => contentTypes[kind]);
      refusal = namingTypes(refusal, types);
      for (const method of operations[field].rest.methods)
        void reply.header(`accept-${method}`, types.join(', '));
    }
    const hasSpent = reply.hasHeader('ratelimit-limit');
    if (!request.caller || hasSpent || !isCounted(refusal)) throw refusal;
    const context = contextOf(request, 'rest');
    const overdrawn = await chargeRefusal(operations[field].bucket, context);
    void reply.headers(replyHeaders(context));
    throw overdrawn ?? refusal;
  };
