import { GraphQLJSON } from 'graphql-scalars';
import { choiceEnum, buildObjectType } from '../fields/field.graphql.js';
import { field, type RowsFor } from '../fields/row.rules.js';
import { connectionType } from '../paging/page.graphql.js';
import { type HistoryEntry, type Transport } from './history-entry.js';

const TransportEnum = choiceEnum('Transport', 'How a change was made.', {
  graphql: 'Through the GraphQL API.',
  rest: 'Through the REST API.',
  task: 'By a scheduled task.',
  import: 'By an operator’s command.',
} satisfies Record<Transport, string>);

const change = {
  description: 'A field that changed.',
  fields: {
    field: field(
      'String!',
      'The name of the field’s input, or the field’s own name if no update writes it.',
      null,
    ),
    before: field('JSON', 'The value before the change. Always null for e-mail addresses and media.', null),
    after: field('JSON', 'The value after the change. Always null for e-mail addresses and media.', null),
  },
};

export type HistoryEntryType = Omit<HistoryEntry, 'version'>;

const entry = {
  description: 'A change of a record.',
  fields: {
    at: field('DateTimeISO!', 'When the change was made, UTC.', null),
    actor: field(
      'String!',
      'Who made the change: the caller’s subject, `system` for the archiving task, or the name passed to an operator’s command (default `operator`).',
      null,
    ),
    transport: field('Transport!', 'How the change was made.', null),
    requestId: field('String!', 'The id of the request that made the change.', null),
    changes: field('[FieldChange!]!', 'All fields that changed.', null, { of: change }),
  } satisfies RowsFor<HistoryEntryType>,
};

const HistoryEntryType = buildObjectType('HistoryEntry', entry, {
  Transport: TransportEnum,
  JSON: GraphQLJSON,
});

export const HistoryConnectionType = connectionType('History', HistoryEntryType, {
  page: 'A page of a history, newest entry first.',
  items: 'The entries.',
  edge: 'An entry and its position in the list.',
  item: 'The entry.',
});
