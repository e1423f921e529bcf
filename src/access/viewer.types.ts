import { Field, GraphQLISODateTime, Int, ObjectType } from 'type-graphql';
import { type Caller } from './caller.js';

@ObjectType('QuotaBucket', { simpleResolvers: true, description: 'The current state of a quota.' })
export class QuotaBucketType {
  @Field(() => String, {
    description: '`updateJob` for that mutation, `mutation` for all others, `read` for queries.',
  })
  name!: string;

  @Field(() => Int, { description: 'Units of a full bucket.' })
  limit!: number;

  @Field(() => Int, { description: 'Units left.' })
  remaining!: number;

  @Field(() => Int, { description: 'Whole seconds until the bucket is full; 0 if it is full.' })
  resetSeconds!: number;
}

@ObjectType('Viewer', {
  simpleResolvers: true,
  description: 'The caller, as its token describes it.',
})
export class ViewerType implements Record<keyof Caller, unknown> {
  @Field(() => String, { description: 'The token’s subject.' })
  subject!: string;

  @Field(() => [String], {
    description:
      'The token’s roles that the gateway knows. `media_admin` acts on every record of its media, `media_partner` on the records that it created, and `brand_admin` on the companies of its brand and their jobs.',
  })
  roles!: string[];

  @Field(() => [String], {
    description:
      'The token’s scopes that the gateway knows. `r_jobs` and `r_companies` read; `r_w_jobs` and `r_w_companies` also update.',
  })
  scopes!: string[];

  @Field(() => [String], {
    nullable: true,
    description: 'Public ids of the token’s media; null without a `media` claim.',
  })
  media!: string[] | null;

  @Field(() => String, {
    nullable: true,
    description: 'Public id of the token’s brand, if any.',
  })
  brand!: string | null;

  @Field(() => GraphQLISODateTime, { description: 'When the token expires, UTC.' })
  expiresAt!: Date;

  @Field(() => [QuotaBucketType], { description: 'The state of each quota after this query.' })
  quotas!: QuotaBucketType[];
}
