import { type Middleware } from '../access/request-context.js';
import { DomainError } from '../errors/domain-error.js';

/** Counts payloads as records of the document (Contract 8.4.8): once its bytes are spent, no mutation begins. */
export const boundPayloads: Middleware = async (resolve, parent, args, context, info) => {
  if (context.budget.left <= 0) throw new DomainError('payload-too-large');
  const payload: unknown = await resolve(parent, args, context, info);
  // A mutation that has begun is answered whatever is left, since it has changed its record.
  context.budget.take(payload);
  return payload;
};
