import { type ClassType, Field } from 'type-graphql';
import { type FieldTable } from './fields.rules.js';

type Choices<Table> = {
  [Name in keyof Table]: Table[Name] extends { type: 'choice' } ? Name : never;
}[keyof Table];

/** Gives an input every field of the table, all optional. A choice gets the enum that `enums` names for it. */
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
