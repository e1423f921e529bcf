import { type ClassType, Field } from 'type-graphql';
import { type FieldTable } from './fields.rules.js';

type Choices<Table> = {
  [Name in keyof Table]: Table[Name] extends { type: 'choice' } ? Name : never;
}[keyof Table];

/** Gives an input a field for each of the table, all optional; those that are a choice have the enum given for them. */
export function addFields<Table extends FieldTable>(
  input: ClassType<object>,
  table: Table,
  enums: Record<Choices<Table>, object>,
): void {
  for (const [name, { type, description }] of Object.entries(table)) {
    const graphqlType =
      type === 'choice' ? enums[name as Choices<Table>] : type === 'emails' ? [String] : String;
    Field(() => graphqlType, { nullable: true, description })(input.prototype, name);
  }
}
