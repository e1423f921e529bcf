import { type FieldTable } from '../../../src/fields/fields.rules.js';
import { type Kind } from '../../../src/fields/kinds.rules.js';
import { documentedName } from '../../../src/errors/documented-name.js';

/** The bound of a text, list or decimal, if it has one. */
export const maximumOf = ({
  limits: { maximumLength, maximumItems = maximumLength, maximum = maximumItems },
}: Kind) => maximum as number | undefined;

export const fieldsOfKind = (table: FieldTable, kind: Kind['name']) =>
  Object.entries(table).flatMap(([name, field]) =>
    field.kind.name === kind
      ? [{ ...field, field: documentedName(name), maximum: maximumOf(field.kind) ?? Infinity }]
      : [],
  );

/** Stands for every field of its kind: every-field.ts has the rows that each field needs for itself. */
export const firstOfKind = (table: FieldTable, kind: Kind['name']) => fieldsOfKind(table, kind).slice(0, 1);
