import { type onSendHookHandler } from 'fastify';
import { type GraphQLFormattedError } from 'graphql';
import { catalogue, type ErrorCode } from '../errors/catalogue.js';

/** What Apollo refuses by itself before there is an operation, by the status that it gives it. */
const codes: Record<number, ErrorCode> = {
  405: 'method-not-allowed',
  415: 'content-type-not-supported',
  500: 'internal-error',
};

/**
 * Gives what Apollo refuses before there is an operation, of which no plugin hears, the same `extensions` as every other
 * error (Contract 7.2.1); a fault of the service tells nothing of itself (Contract 7.1.4).
 */
export const describeRefusal: onSendHookHandler<unknown> = (request, reply, payload, done) => {
  if (reply.statusCode < 400 || typeof payload !== 'string' || payload.includes('"requestId"'))
    return done(null, payload);
  const { errors } = JSON.parse(payload) as { errors: GraphQLFormattedError[] };
  const error = codes[reply.statusCode] ?? 'body-format-error';
  const { graphqlCode: code, message } = catalogue[error];
  const extensions = { code, error, status: reply.statusCode, requestId: request.id };
  const described = errors.map((each) => ({
    ...each,
    message: error === 'internal-error' ? message.en : each.message,
    extensions,
  }));
  done(null, JSON.stringify({ errors: described }));
};
