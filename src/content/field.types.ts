import { type ClassType, Field } from 'type-graphql';
import { describe, type FieldTable, givenTypeOf } from './fields.rules.js';

type Choices<Table> = {
  [Name in keyof Table]: Table[Name] extends { type: 'choice' } ? Name : never;
}[keyof Table];

const graphqlTypes = { string: String, 'array-of-strings': [String] };

/** What the description of an input says of fields that are absent, null or empty (Contract 4.3.3). */
export function absentNullOrEmpty(table: FieldTable): string {
  const cleared = Object.keys(table).filter((name) => table[name]?.isClearable);
  return `An omitted field keeps its value; null clears ${cleared.join(', ')}, and is an error for every other field. An empty text, which a form sends for null, does the same, but empties no list`;
}

/** Gives an input every field of the table, all optional. A choice gets the enum that `enums` names for it. */
export function addFields<Table extends FieldTable>(
  input: ClassType<object>,
  table: Table,
  enums: Record<Choices<Table>, object>,
): void {
  for (const [name, field] of Object.entries(table)) {
    const graphqlType =
      field.type === 'choice' ? enums[name as Choices<Table>] : graphqlTypes[givenTypeOf[field.type]];
    Field(() => graphqlType, { nullable: true, description: describe(field) })(input.prototype, name);
  }
}
