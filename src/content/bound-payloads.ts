import { type IMiddlewareFunction } from 'graphql-middleware';
import { type RequestContext } from '../access/request-context.js';
import { DomainError } from '../errors/domain-error.js';

/**
 * Counts what a mutation answers among the records of the document (Contract 8.4.8). Once they have used up their bytes no
 * mutation begins; one that has begun is answered whole, since it has changed its record.
 */
export const boundPayloads: IMiddlewareFunction<unknown, RequestContext> = async (
  resolve,
  parent,
  args,
  context,
  info,
) => {
  if (context.budget.left <= 0) throw new DomainError('payload-too-large');
  const payload: unknown = await resolve(parent, args, context, info);
  context.budget.take(payload);
  return payload;
};
