import { registerEnumType } from 'type-graphql';

/** Makes an enum of the schema whose values are their own names, each with what a reader of the schema is told of it. */
export function choiceEnum<Choice extends string>(
  name: string,
  description: string,
  described: Record<Choice, string>,
): Record<Choice, Choice> {
  const choices = Object.keys(described) as Choice[];
  const values = Object.fromEntries(choices.map((choice) => [choice, choice])) as Record<Choice, Choice>;
  const valuesConfig = Object.fromEntries(
    choices.map((choice) => [choice, { description: described[choice] }]),
  ) as Record<Choice, { description: string }>;
  registerEnumType(values, { name, description, valuesConfig });
  return values;
}
