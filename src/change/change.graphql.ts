import 'reflect-metadata';
import { ArgsType, Field, GraphQLISODateTime, Int, ObjectType } from 'type-graphql';
import { choiceEnum, PublicId } from '../fields/field.graphql.js';
import { field, type RowsFor } from '../fields/row.rules.js';
import { largestPage } from '../paging/page.js';
import { connectionType, PageArguments } from '../paging/page.graphql.js';
import { type VersionedKind } from '../history/history.record.js';
import { type Change, type ChangeState } from './change-sources.js';

const ChangeKindEnum = choiceEnum('ChangeKind', 'The kind of a changed record.', {
  job: 'A job.',
  company: 'A company.',
} satisfies Record<VersionedKind, string>);

const ChangeStateEnum = choiceEnum('ChangeState', 'The current state of a changed record.', {
  draft: 'A job that was never published.',
  published: 'A published job.',
  archived: 'A job that is archived or past its end.',
  present: 'A company in the media.',
  gone: 'A company that left the media, or a job that left with its company or moved to another media.',
} satisfies Record<ChangeState, string>);

export const defaultChanges = 100;

@ArgsType()
export class ChangesArguments extends PageArguments {
  @PublicId('Public id of the media.')
  mediaPublicId!: string;

  @Field(() => Int, {
    nullable: true,
    defaultValue: defaultChanges,
    description: `The page size, 1 to ${largestPage}; null for the default.`,
  })
  declare first: number | null;

  @Field(() => String, {
    nullable: true,
    description:
      'The page starts after this cursor of the last 30 days, and always gives a new cursor, even if the page is empty.',
  })
  declare after?: string | null;
}

/** In the order of the documented reply. */
export const changeRows = {
  kind: field('kind'),
  publicId: field('public_id'),
  companyPublicId: field('company_public_id'),
  version: field('version'),
  changedAt: field('changed_at'),
  state: field('state'),
} satisfies RowsFor<Change>;

@ObjectType('Change', {
  simpleResolvers: true,
  description: 'A record in its current state, listed at the time of its last change.',
})
class ChangeType implements Change {
  @Field(() => ChangeKindEnum, { description: 'The kind of the record.' })
  kind!: VersionedKind;

  @Field(() => String, { description: 'Public id of the record.' })
  publicId!: string;

  @Field(() => String, { description: 'Public id of the company, or of the job’s company.' })
  companyPublicId!: string;

  @Field(() => Int, { description: 'Version of the record.' })
  version!: number;

  @Field(() => GraphQLISODateTime, {
    description: 'When the record was written, left the media or ended, by the database’s clock.',
  })
  changedAt!: Date;

  @Field(() => ChangeStateEnum, { description: 'The state of the record.' })
  state!: ChangeState;
}

export const ChangeConnectionType = connectionType('Change', ChangeType, {
  page: 'A page of the changes of a media, oldest first.',
  items: 'The changes.',
  edge: 'A change and its place in the list.',
  item: 'The change.',
});
