import { type FastifyReply, type FastifyRequest } from 'fastify';
import { type GraphQLFormattedError } from 'graphql';
import { catalogue, type ErrorCode, type GraphQLCode, type Language } from '../errors/catalogue.js';
import { preferredLanguage } from '../errors/language.js';

/** What Apollo refuses by itself before an operation runs, by the status that it gives it. */
const codes: Record<number, ErrorCode> = {
  405: 'method-not-allowed',
  415: 'content-type-not-supported',
  500: 'internal-error',
};

/** A refusal of Apollo's own by the catalogue (Contract 7.2.1). Apollo's message is more exact, but in English only (7.8). */
export function refusedByApollo(
  httpStatus: number,
  message: string,
  language: Language,
): { message: string; extensions: { code: GraphQLCode; error: ErrorCode; status: number } } {
  const error = codes[httpStatus] ?? 'body-format-error';
  const { status, graphqlCode: code, message: own } = catalogue[error];
  // Of a fault of the service Apollo's message would tell too much (Contract 7.1.4).
  const isApollosToTell = language === 'en' && error !== 'internal-error';
  return { message: isApollosToTell ? message : own[language], extensions: { code, error, status } };
}

/** Whether Apollo refused a request before it was one of GraphQL; its plugins do not hear of that. */
export const isApollosRefusal = (reply: FastifyReply, payload: unknown): payload is string =>
  reply.statusCode >= 400 && typeof payload === 'string' && !payload.includes('"requestId"');

/** Its errors as the catalogue has them. Sets the status of the reply to theirs. */
export function describeRefusal(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: string,
): GraphQLFormattedError[] {
  const { errors } = JSON.parse(payload) as { errors: GraphQLFormattedError[] };
  const language = preferredLanguage(request.headers['accept-language']);
  return errors.map((each) => {
    const { message, extensions } = refusedByApollo(reply.statusCode, each.message, language);
    void reply.code(extensions.status);
    return { ...each, message, extensions: { ...extensions, requestId: request.id } };
  });
}
