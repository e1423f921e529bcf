import 'reflect-metadata';
import { Ctx, Field, GraphQLISODateTime, Int, ObjectType, Resolver } from 'type-graphql';
import { choiceEnum } from '../fields/field.graphql.js';
import { type Bucket, type Role, type Scope } from '../operations.js';
import { type Caller } from '../tokens/caller.js';
import { callerOf, type NamedBucket, type RequestContext } from './request-context.js';
import { RootField } from './root-field.js';

const RoleEnum = choiceEnum('Role', 'What a caller may act on.', {
  media_admin: 'Every record of its media.',
  media_partner: 'The records that it created.',
  brand_admin: 'The companies of its brand, and their jobs.',
});

const ScopeEnum = choiceEnum('Scope', 'What a caller may do.');

const QuotaNameEnum = choiceEnum('QuotaName', 'Which operations spend the units of a quota.', {
  updateJob: 'The mutation `updateJob`.',
  mutation: 'All other mutations.',
  read: 'Queries.',
});

@ObjectType('QuotaBucket', { simpleResolvers: true, description: 'The current state of a quota.' })
class QuotaBucketType implements NamedBucket {
  @Field(() => QuotaNameEnum, { description: 'Which operations spend the units.' })
  name!: Bucket;

  @Field(() => Int, { description: 'Units of a full bucket.' })
  limit!: number;

  @Field(() => Int, { description: 'Units left.' })
  remaining!: number;

  @Field(() => Int, { description: 'Whole seconds until the bucket is full; 0 if it is full.' })
  resetSeconds!: number;
}

@ObjectType('Viewer', { simpleResolvers: true, description: 'The caller, as its token describes it.' })
class ViewerType implements Record<keyof Caller, unknown> {
  @Field(() => String, {
    description: 'The token’s subject, after the prefix of its identity provider, if any.',
  })
  subject!: string;

  @Field(() => [RoleEnum], { description: 'The token’s roles, by the gateway’s names.' })
  roles!: Role[];

  @Field(() => [ScopeEnum], { description: 'The token’s scopes, by the gateway’s names.' })
  scopes!: Scope[];

  @Field(() => [String], {
    nullable: true,
    description:
      'Public ids of the media that the token may act in; null if neither the token nor its identity provider names any.',
  })
  media!: string[] | null;

  @Field(() => String, { nullable: true, description: 'Public id of the token’s brand, if any.' })
  brand!: string | null;

  @Field(() => GraphQLISODateTime, { description: 'When the token expires, UTC.' })
  expiresAt!: Date;

  @Field(() => [QuotaBucketType], { description: 'The state of each quota after this query.' })
  quotas!: QuotaBucketType[];
}

@Resolver()
export class ViewerResolver {
  @RootField('viewer', () => ViewerType, 'The caller, and what its token allows.')
  async viewer(@Ctx() context: RequestContext): Promise<ViewerType> {
    const { subject, roles, scopes, media, brand, expiresAt } = callerOf(context, 'viewer');
    return {
      subject,
      roles: [...roles],
      scopes: [...scopes],
      media: media ? [...media] : null,
      brand: brand ?? null,
      expiresAt,
      quotas: [...((await context.cost.charge) ?? [])],
    };
  }
}
