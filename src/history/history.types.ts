import { Field, GraphQLISODateTime, ObjectType } from 'type-graphql';
import { GraphQLJSON } from 'graphql-scalars';
import { choiceEnum } from '../content/field.types.js';
import { connectionType } from '../content/page.types.js';
import { type Transport } from './history-entry.js';

const TransportEnum = choiceEnum<Transport>('Transport', 'The way that a change came.', {
  graphql: 'By a GraphQL operation.',
  rest: 'By a REST path.',
  task: 'By the gateway’s own scheduled work.',
  import: 'By a command of the operator’s.',
});

@ObjectType('FieldChange', { simpleResolvers: true, description: 'One field of a change.' })
class FieldChangeType {
  @Field(() => String, { description: 'The field, as a path where it is within another.' })
  field!: string;

  @Field(() => GraphQLJSON, {
    nullable: true,
    description: 'Its value before; null too for e-mail addresses and media.',
  })
  before!: unknown;

  @Field(() => GraphQLJSON, {
    nullable: true,
    description: 'Its value after; null too for e-mail addresses and media.',
  })
  after!: unknown;
}

@ObjectType('HistoryEntry', { simpleResolvers: true, description: 'One change of a record.' })
export class HistoryEntryType {
  @Field(() => GraphQLISODateTime, { description: 'When, UTC.' })
  at!: Date;

  @Field(() => String, {
    description:
      'The subject of the caller, `system` for the archiving task, or the name that a command gives, `operator` unless told.',
  })
  actor!: string;

  @Field(() => TransportEnum, { description: 'Through which API.' })
  transport!: Transport;

  @Field(() => String, { description: 'In which request.' })
  requestId!: string;

  @Field(() => [FieldChangeType], { description: 'Every field that changed.' })
  changes!: FieldChangeType[];
}

export const HistoryConnectionType = connectionType('History', HistoryEntryType, {
  page: 'A page of a history, newest first.',
  items: 'The entries.',
  edge: 'An entry and where it is in the list.',
  item: 'The entry.',
});
