import { GraphQLJSON } from 'graphql-scalars';
import { choiceEnum, objectType } from '../fields/field.types.js';
import { part, type Parts } from '../fields/row.rules.js';
import { connectionType } from '../paging/page.types.js';
import { type HistoryEntry, type Transport } from './history-entry.js';

const TransportEnum = choiceEnum<Transport>('Transport', 'How a change was made.', {
  graphql: 'Through the GraphQL API.',
  rest: 'Through the REST API.',
  task: 'By a scheduled task.',
  import: 'By an operator’s command.',
});

const change = {
  description: 'A field that changed.',
  fields: {
    field: part('String!', 'The field’s name, or its path if nested.', null),
    before: part('JSON', 'The value before the change. Always null for e-mail addresses and media.', null),
    after: part('JSON', 'The value after the change. Always null for e-mail addresses and media.', null),
  },
};

export type HistoryEntryType = Omit<HistoryEntry, 'version' | 'call'>;

const entry = {
  description: 'A change of a record.',
  fields: {
    at: part('DateTimeISO!', 'When the change was made, UTC.', null),
    actor: part(
      'String!',
      'Who made the change: the caller’s subject, `system` for the archiving task, or the name passed to an operator’s command (default `operator`).',
      null,
    ),
    transport: part('Transport!', 'How the change was made.', null),
    requestId: part('String!', 'The id of the request that made the change.', null),
    changes: part('[FieldChange!]!', 'All fields that changed.', { rest: null, of: change }),
  } satisfies Parts<HistoryEntryType>,
};

const HistoryEntryType = objectType('HistoryEntry', entry, { Transport: TransportEnum, JSON: GraphQLJSON });

export const HistoryConnectionType = connectionType('History', HistoryEntryType, {
  page: 'A page of a history, newest entry first.',
  items: 'The entries.',
  edge: 'An entry and its position in the list.',
  item: 'The entry.',
});
