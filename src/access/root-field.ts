import { Directive, Mutation, Query } from 'type-graphql';
import { buckets, operations, type RootField as Name } from '../operations.js';

/**
 * Declares a method as the root field whose row stands in `operations`: its kind, and the directive that counts its calls.
 * Every root field is nullable, so that one that is refused leaves the others of its document answered.
 */
export function RootField(
  name: Name,
  type: Parameters<typeof Query>[0],
  description: string,
): MethodDecorator {
  const { kind, bucket } = operations[name];
  const { limit, durationSeconds } = buckets[bucket];
  const declarations = [
    Directive(`@rateLimit(limit: ${limit}, duration: ${durationSeconds})`),
    (kind === 'query' ? Query : Mutation)(type, { name, nullable: true, description }),
  ];
  return (...method) => {
    for (const declare of declarations) declare(...method);
  };
}
