import { GraphQLError, type GraphQLResolveInfo, responsePathAsArray } from 'graphql';
import { type IMiddlewareFunction } from 'graphql-middleware';
import { type RequestContext } from '../access/request-context.js';
import { DomainError } from '../errors/domain-error.js';

/**
 * Gives a refusal its place in the caller's document. GraphQL would do so, too, but its own error notes a stack, which
 * nobody reads and which takes a fifth of a refused call's time. Over REST the document is not the caller's.
 */
export const placeRefusals: IMiddlewareFunction<unknown, RequestContext> = async (
  resolve,
  parent,
  args,
  context,
  info,
) => {
  const place = (result: unknown) =>
    result instanceof DomainError && context.transport === 'graphql' ? placed(result, info) : result;
  try {
    // What refuses for lack of authority returns its error.
    return place(await resolve(parent, args, context, info));
  } catch (error) {
    throw place(error);
  }
};

function placed(originalError: DomainError, { fieldNodes, path }: GraphQLResolveInfo): GraphQLError {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  const error = new GraphQLError(originalError.message, {
    nodes: fieldNodes,
    path: responsePathAsArray(path),
    originalError,
  });
  Error.stackTraceLimit = stackTraceLimit;
  return error;
}
