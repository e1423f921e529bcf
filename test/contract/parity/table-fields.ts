import { type FieldTable } from '../../../src/fields/fields.rules.js';
import { type FieldType } from '../../../src/fields/field-types.rules.js';
import { snakeCase } from '../../../src/errors/snake-case.js';

/** The bound of a text, list or decimal, if it has one. */
export const maximumOf = ({
  limits: { maximumLength, maximumItems = maximumLength, maximum = maximumItems },
}: FieldType) => maximum as number | undefined;

export const fieldsOfKind = (table: FieldTable, kind: FieldType['name']) =>
  Object.entries(table).flatMap(([name, field]) =>
    field.type.name === kind
      ? [{ ...field, field: snakeCase(name), maximum: maximumOf(field.type) ?? Infinity }]
      : [],
  );

/** Stands for every field of its kind: every-field.ts has the rows that each field needs for itself. */
export const firstOfKind = (table: FieldTable, kind: FieldType['name']) =>
  fieldsOfKind(table, kind).slice(0, 1);
