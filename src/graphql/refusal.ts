import { type FastifyReply, type FastifyRequest } from 'fastify';
import { type GraphQLFormattedError } from 'graphql';
import { catalogue, type ErrorCode, type GraphQLCode, type Language } from '../errors/catalogue.js';
import { preferredLanguage } from '../errors/language.js';

/** Catalogue codes for Apollo's own refusals, by status. */
const codes: Record<number, ErrorCode> = {
  405: 'method-not-allowed',
  415: 'content-type-not-supported',
  500: 'internal-error',
};

/** Keeps Apollo's more exact message, but only in English (Contract 7.2.1, 7.8). */
export function refusedByApollo(
  httpStatus: number,
  message: string,
  language: Language,
): { message: string; extensions: { code: GraphQLCode; error: ErrorCode; status: number } } {
  const error = codes[httpStatus] ?? 'body-format-error';
  const { status, graphqlCode: code, message: own } = catalogue[error];
  // Apollo's message of an internal error reveals too much (Contract 7.1.4).
  const isApollosToTell = language === 'en' && error !== 'internal-error';
  return { message: isApollosToTell ? message : own[language], extensions: { code, error, status } };
}

/** Whether Apollo rejected a request so early that it called no plugin. */
export const isApollosRefusal = (reply: FastifyReply, payload: unknown): payload is string =>
  reply.statusCode >= 400 && typeof payload === 'string' && !payload.includes('"requestId"');

/** Converts Apollo's errors to catalogue errors, and sets the reply's status. */
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
