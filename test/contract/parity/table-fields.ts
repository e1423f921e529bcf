import { type Field, type FieldTable } from '../../../src/fields/fields.rules.js';
import { documentedName } from '../../../src/errors/documented-name.js';

export const fieldsOfType = <Type extends Field['type']>(
  table: FieldTable,
  type: Type,
): (Extract<Field, { type: Type }> & { field: string })[] =>
  Object.entries(table).flatMap(([name, field]) =>
    field.type === type
      ? [{ ...(field as Extract<Field, { type: Type }>), field: documentedName(name) }]
      : [],
  );

/** Stands for every field of its type: every-field.ts has the rows that each field needs for itself. */
export const firstOfType = <Type extends Field['type']>(table: FieldTable, type: Type) =>
  fieldsOfType(table, type).slice(0, 1);
