import { Directive, Mutation, Query } from 'type-graphql';
import { type Complexity, rootComplexity } from '../fields/complexity.rules.js';
import { buckets, type Operation, operations, type RootFieldName as Name } from '../operations.js';

interface Options {
  /** By default, root fields are nullable, so that one failed field does not discard the rest of the reply. */
  nullable?: boolean | 'items';
  complexity?: Complexity;
}

/** Declares a method as a root field with its row in `operations`. */
export function RootField(
  name: Name,
  returns: Parameters<typeof Query>[0],
  description: string,
  { nullable = true, complexity = rootComplexity }: Options = {},
): MethodDecorator {
  const { type, bucket, roles, scopes }: Operation = operations[name];
  const scope = scopes?.map((each) => `\`${each}\``).join(' or ');
  const named = Object.entries(roles ?? {}).flatMap(([role, may]) => (may ? `\`${role}\`` : []));
  const role = roles ? `one of the roles ${named.join(', ')} and ` : '';
  const needs = scope ? ` Needs ${role}the scope ${scope}.` : '';
  const { limit, durationSeconds } = buckets[bucket];
  const perSecond = limit / durationSeconds;
  const unlessSet = 'a second, unless the gateway sets another quota';
  const quota =
    type === 'query'
      ? ` Spends read units by its complexity, at most ${perSecond} ${unlessSet}.`
      : ` At most ${perSecond} calls ${unlessSet}. A payload with lists also spends read units.`;
  const options = { name, nullable, description: description + needs + quota, complexity };
  return (...method) => {
    Directive(`@rateLimit(limit: ${limit}, duration: ${durationSeconds})`)(...method);
    if (type === 'query') Query(returns, options)(...method);
    else Mutation(returns, { ...options, complexity: noting(name) })(...method);
  };
}

const noting =
  (field: Name): Complexity =>
  ({ args, childComplexity, context }) => {
    context?.noted?.mutations.push({ field, isDryRun: args.dryRun === true });
    return rootComplexity + childComplexity;
  };
