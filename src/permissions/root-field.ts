import { Directive, Mutation, Query } from 'type-graphql';
import { buckets, type Operation, operations, type RootFieldName as Name } from '../operations.js';

/**
 * Declares a method as a root field with its row in `operations`. By default, root fields are nullable, so that one failed field does not
 * discard the rest of the answer.
 */
export function RootField(
  name: Name,
  type: Parameters<typeof Query>[0],
  description: string,
  nullable: boolean | 'items' = true,
): MethodDecorator {
  const { kind, bucket, roles, scopes }: Operation = operations[name];
  const scope = scopes?.map((each) => `\`${each}\``).join(' or ');
  const named = Object.entries(roles ?? {}).flatMap(([role, may]) => (may ? `\`${role}\`` : []));
  const role = roles ? `one of the roles ${named.join(', ')} and ` : '';
  const needs = scope ? ` Needs ${role}the scope ${scope}.` : '';
  const { limit, durationSeconds } = buckets[bucket];
  const perSecond = limit / durationSeconds;
  const unlessSet = 'a second, unless the gateway sets another quota';
  const quota =
    kind === 'query'
      ? ` Spends read units by its complexity (table of weights: contract 8.4.11), at most ${perSecond} ${unlessSet}.`
      : ` At most ${perSecond} calls ${unlessSet}. Pages in the payload also spend read units (table of weights: contract 8.4.11).`;
  const options = { name, nullable, description: description + needs + quota };
  return (...method) => {
    Directive(`@rateLimit(limit: ${limit}, duration: ${durationSeconds})`)(...method);
    (kind === 'query' ? Query : Mutation)(type, options)(...method);
  };
}
