import { ArgsType, Directive, Field, Int, Mutation, Query } from 'type-graphql';
import { buckets, type Operation, operations, type RootField as Name } from '../operations.js';

/**
 * Declares a method as the root field whose row stands in `operations`: its kind, the directive that counts its calls, and in its
 * description what its callers need.
 * Every root field is nullable, so that one that is refused leaves the others of its document answered.
 */
export function RootField(
  name: Name,
  type: Parameters<typeof Query>[0],
  description: string,
): MethodDecorator {
  const { kind, bucket, roles, scopes }: Operation = operations[name];
  const scope = scopes?.map((each) => `\`${each}\``).join(' or ');
  const needs = scope ? ` Needs ${roles ? 'one of the roles and ' : ''}the scope ${scope}.` : '';
  const { limit, durationSeconds } = buckets[bucket];
  const declarations = [
    Directive(`@rateLimit(limit: ${limit}, duration: ${durationSeconds})`),
    (kind === 'query' ? Query : Mutation)(type, { name, nullable: true, description: description + needs }),
  ];
  return (...method) => {
    for (const declare of declarations) declare(...method);
  };
}

/** What both mutations take beside their input. */
@ArgsType()
export class UpdateArguments {
  @Field(() => Int, {
    nullable: true,
    description:
      'The version that the caller has seen; any other is refused with version-conflict (Contract 9.1).',
  })
  expectedVersion?: number | null;

  @Field(() => String, {
    nullable: true,
    description:
      'A key of the caller’s choice, 1 to 255 visible ASCII characters: within 24 hours a repeated call is answered like the first and not run again (Contract 9.3).',
  })
  idempotencyKey?: string | null;

  @Field(() => Boolean, {
    defaultValue: false,
    description: 'Every check and the would-be result, but no write (Contract 9.4).',
  })
  dryRun!: boolean;
}
