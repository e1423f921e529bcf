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
