import { ArgsType, Field, GraphQLISODateTime, Int, ObjectType } from 'type-graphql';
import { choiceEnum } from '../content/field.types.js';
import { largestPage } from '../content/page.js';
import { connectionType, PageArguments } from '../content/page.types.js';
import { type VersionedKind } from '../history/history.model.js';
import { type Change, type ChangeState } from './change.service.js';

const ChangeKindEnum = choiceEnum<VersionedKind>('ChangeKind', 'What a change is of.', {
  job: 'A job.',
  company: 'A company.',
});

const ChangeStateEnum = choiceEnum<ChangeState>('ChangeState', 'What a follower is to make of a record.', {
  draft: 'A job that was never published.',
  published: 'A job that is published now.',
  archived: 'A job that is archived, or past its lifetime.',
  present: 'A company that is in the media.',
  gone: 'A company that has left the media, or a job that went with it or moved to another media.',
});

/** The changes that a page has unless told. */
export const defaultChanges = 100;

@ArgsType()
export class ChangesArguments extends PageArguments {
  @Field(() => String, { description: 'Public id of the media.' })
  mediaPublicId!: string;

  @Field(() => Int, {
    nullable: true,
    defaultValue: defaultChanges,
    description: `How many, 1 to ${largestPage}; null is the default.`,
  })
  declare first: number | null;

  @Field(() => String, {
    nullable: true,
    description:
      'The cursor after which the page begins, at most 30 days old. Every page has a new one, also an empty page that began after a cursor.',
  })
  declare after?: string | null;
}

@ObjectType('Change', {
  simpleResolvers: true,
  description: 'A record as it stands now, where it last changed.',
})
export class ChangeType implements Change {
  @Field(() => ChangeKindEnum, { description: 'What it is.' })
  kind!: VersionedKind;

  @Field(() => String, { description: 'Its public id.' })
  publicId!: string;

  @Field(() => String, { description: 'Public id of the company: its own, or that of the job.' })
  companyPublicId!: string;

  @Field(() => Int, { description: 'Its version.' })
  version!: number;

  @Field(() => GraphQLISODateTime, {
    nullable: true,
    description:
      'When it changed, by the clock of the database: it was written, left the media or reached the end of its lifetime. Null for what 1.0.0 wrote last.',
  })
  changedAt!: Date | null;

  @Field(() => ChangeStateEnum, { description: 'What became of it.' })
  state!: ChangeState;
}

export const ChangeConnectionType = connectionType('Change', ChangeType, {
  page: 'A page of the changes of a media, oldest first.',
  items: 'The changes.',
  edge: 'A change and where it is in the list.',
  item: 'The change.',
});
