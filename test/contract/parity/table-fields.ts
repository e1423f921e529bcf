import { type FieldTable } from '../../../src/fields/fields.rules.js';
import { type Kind } from '../../../src/fields/kinds.rules.js';
import { documentedName } from '../../../src/errors/documented-name.js';

export const fieldsOfKind = (table: FieldTable, kind: Kind['name']) =>
  Object.entries(table).flatMap(([name, field]) =>
    field.kind.name === kind
      ? [{ ...field, field: documentedName(name), maximum: field.kind.maximum ?? Infinity }]
      : [],
  );

/** Stands for every field of its kind: every-field.ts has the rows that each field needs for itself. */
export const firstOfKind = (table: FieldTable, kind: Kind['name']) => fieldsOfKind(table, kind).slice(0, 1);
