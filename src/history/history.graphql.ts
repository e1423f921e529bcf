import 'reflect-metadata';
import { GraphQLJSON } from 'graphql-scalars';
import { Field, GraphQLISODateTime, ObjectType } from 'type-graphql';
import { choiceEnum } from '../fields/field.graphql.js';
import { type FieldChange } from '../fields/fields.rules.js';
import { connectionType } from '../paging/page.graphql.js';
import { type HistoryEntry, type Transport } from './history-entry.js';

const TransportEnum = choiceEnum('Transport', 'How a change was made.', {
  graphql: 'Through the GraphQL API.',
  rest: 'Through the REST API.',
  task: 'By a scheduled task.',
  import: 'By an operator’s command.',
} satisfies Record<Transport, string>);

@ObjectType('FieldChange', { simpleResolvers: true, description: 'A field that changed.' })
class FieldChangeType implements FieldChange {
  @Field(() => String, {
    description: 'The name of the field’s input, or the field’s own name if no update writes it.',
  })
  field!: string;

  @Field(() => GraphQLJSON, {
    nullable: true,
    description: 'The value before the change. Always null for e-mail addresses and media.',
  })
  before!: unknown;

  @Field(() => GraphQLJSON, {
    nullable: true,
    description: 'The value after the change. Always null for e-mail addresses and media.',
  })
  after!: unknown;
}

@ObjectType('HistoryEntry', { simpleResolvers: true, description: 'A change of a record.' })
export class HistoryEntryType implements Omit<HistoryEntry, 'version'> {
  @Field(() => GraphQLISODateTime, { description: 'When the change was made, UTC.' })
  at!: Date;

  @Field(() => String, {
    description:
      'Who made the change: the caller’s subject, `system` for the archiving task, or the name passed to an operator’s command (default `operator`).',
  })
  actor!: string;

  @Field(() => TransportEnum, { description: 'How the change was made.' })
  transport!: Transport;

  @Field(() => String, { description: 'The id of the request that made the change.' })
  requestId!: string;

  @Field(() => [FieldChangeType], { description: 'All fields that changed.' })
  changes!: FieldChangeType[];
}

export const HistoryConnectionType = connectionType('History', HistoryEntryType, {
  page: 'A page of a history, newest entry first.',
  items: 'The entries.',
  edge: 'An entry and its position in the list.',
  item: 'The entry.',
});
