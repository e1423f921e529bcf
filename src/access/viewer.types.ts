import { Field, GraphQLISODateTime, Int, ObjectType } from 'type-graphql';
import { type Caller } from './caller.js';

@ObjectType('QuotaBucket', { simpleResolvers: true, description: 'A quota as it stands now.' })
export class QuotaBucketType {
  @Field(() => String, {
    description: '`updateJob`, `mutation` for every other mutation, or `read` for queries.',
  })
  name!: string;

  @Field(() => Int, { description: 'Calls in a full bucket.' })
  limit!: number;

  @Field(() => Int, { description: 'Calls left.' })
  remaining!: number;

  @Field(() => Int, { description: 'Whole seconds until the bucket is full again; 0 when it is.' })
  resetSeconds!: number;
}

@ObjectType('Viewer', {
  simpleResolvers: true,
  description: 'What the token says of its holder.',
})
export class ViewerType implements Record<keyof Caller, unknown> {
  @Field(() => String, { description: 'The token’s subject.' })
  subject!: string;

  @Field(() => [String], {
    description:
      'Its roles, those that the gateway knows. `media_admin` acts on every record of its media, `media_partner` on those that it created, `brand_admin` on the companies of its brand and their jobs.',
  })
  roles!: string[];

  @Field(() => [String], {
    description:
      'Its scopes, those that the gateway knows: `r_jobs` and `r_companies` read, `r_w_jobs` and `r_w_companies` also update.',
  })
  scopes!: string[];

  @Field(() => [String], {
    nullable: true,
    description: 'Public ids of the media that it is for; null when the token does not say.',
  })
  media!: string[] | null;

  @Field(() => String, { nullable: true, description: 'Public id of the brand that it is for, if any.' })
  brand!: string | null;

  @Field(() => GraphQLISODateTime, { description: 'When the token ends, UTC.' })
  expiresAt!: Date;

  @Field(() => [QuotaBucketType], { description: 'What is left of its quotas, this query counted.' })
  quotas!: QuotaBucketType[];
}
