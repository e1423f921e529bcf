import { type FastifyReply, type FastifyRequest } from 'fastify';
import { type GraphQLFormattedError } from 'graphql';
import { catalogue, type ErrorCode, type GraphQLCode, type Language } from '../errors/catalogue.js';
import { preferredLanguage } from '../errors/language.js';

/** Catalogue codes for requests that Apollo itself rejects before the operation runs, by Apollo's status. */
const codes: Record<number, ErrorCode> = {
  405: 'method-not-allowed',
  415: 'content-type-not-supported',
  500: 'internal-error',
};

/** The catalogue error for an error of Apollo (Contract 7.2.1). Keeps Apollo's more exact message, but only in English (7.8). */
export function refusedByApollo(
  httpStatus: number,
  message: string,
  language: Language,
): { message: string; extensions: { code: GraphQLCode; error: ErrorCode; status: number } } {
  const error = codes[httpStatus] ?? 'body-format-error';
  const { status, graphqlCode: code, message: own } = catalogue[error];
  // Hide Apollo's message of an internal error: it reveals too much (Contract 7.1.4).
  const isApollosToTell = language === 'en' && error !== 'internal-error';
  return { message: isApollosToTell ? message : own[language], extensions: { code, error, status } };
}

/** Whether Apollo rejected a request so early that it called no plugin. */
export const isApollosRefusal = (reply: FastifyReply, payload: unknown): payload is string =>
  reply.statusCode >= 400 && typeof payload === 'string' && !payload.includes('"requestId"');

/** Turns the errors in a reply from Apollo into catalogue errors, and sets the status of the reply. */
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
