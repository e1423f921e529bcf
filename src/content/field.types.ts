import { GraphQLError, GraphQLScalarType } from 'graphql';
import { ArgsType, type ClassType, Field, InputType, Int, ObjectType, registerEnumType } from 'type-graphql';
import { type Language, type LocalisedText } from '../errors/catalogue.js';
import { excerpt } from '../errors/excerpt.js';
import { describe, type FieldTable, givenTypeOf, readGiven } from './fields.rules.js';
import { type Warning, warningMessages } from './warning.js';

type Choices<Table> = {
  [Name in keyof Table]: Table[Name] extends { type: 'choice' } ? Name : never;
}[keyof Table];

const Decimal = new GraphQLScalarType({
  name: 'Decimal',
  description: 'A decimal number. It is taken as a number or as a text.',
  parseValue(value) {
    const read = readGiven.decimal(value);
    if (read === undefined) throw new GraphQLError('Decimal takes a number or a text.');
    return read;
  },
});

const graphqlTypes = { string: String, 'array-of-strings': [String], decimal: Decimal };

/** What the description of an input says of fields that are absent, null or empty (Contract 4.3.3). */
export function absentNullOrEmpty(table: FieldTable): string {
  const clearable = Object.entries(table).filter(([, { isClearable }]) => isClearable);
  const cleared = new Set(clearable.map(([name, field]) => ('whole' in field ? field.whole.path : name)));
  return `An omitted field keeps its value; null clears ${[...cleared].join(', ')}, and is an error for every other field. An empty text, which a form sends for null, does the same, but empties no list`;
}

/** Gives an input every field of the table, all optional. A choice gets the enum that `enums` names for it. */
export function addFields<Table extends FieldTable>(
  input: ClassType<object>,
  table: Table,
  enums: Record<Choices<Table>, object>,
): void {
  const wholes = new Map<string, ClassType<object>>();
  for (const [name, field] of Object.entries(table)) {
    const described = { nullable: true, description: describe(field) };
    if ('whole' in field) {
      const { path, description } = field.whole;
      const nested = wholes.get(path) ?? class {};
      Field(() => graphqlTypes[givenTypeOf[field.type]], described)(nested.prototype, field.part);
      if (wholes.has(path)) continue;
      wholes.set(path, nested);
      InputType(`${path.charAt(0).toUpperCase()}${path.slice(1)}Input`, { description })(nested);
      Field(() => nested, { nullable: true, description })(input.prototype, path);
      continue;
    }
    const graphqlType =
      field.type === 'choice' ? enums[name as Choices<Table>] : graphqlTypes[givenTypeOf[field.type]];
    Field(() => graphqlType, described)(input.prototype, name);
  }
}

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

@ObjectType('LocalisedText', { simpleResolvers: true, description: 'A text in both languages.' })
export class LocalisedTextType implements LocalisedText {
  @Field(() => String, { description: 'In English.' })
  en!: string;

  @Field(() => String, { description: 'In French.' })
  fr!: string;
}

@ObjectType('Warning', {
  simpleResolvers: true,
  description: 'Something that was accepted but not applied, or was changed on the way in.',
})
export class WarningType {
  @Field(() => String, {
    description:
      'Machine code: `name-immutable`, `identifier-not-applied`, `html-cleaned`, `text-escaped`, `logo-url-ignored`, `logo-animation-removed`, `location-unresolved` or `unknown-field`.',
  })
  code!: string;

  @Field(() => String, { description: 'The input field that it is about.' })
  field!: string;

  @Field(() => String, { description: 'Human text, in the language asked for.' })
  message!: string;
}

/** How many unknown fields get a warning. A caller who sends more has not just misspelt a name. */
const mostUnknownFields = 20;

/**
 * The warnings of a payload, with one for each of the first unknown fields (Contract 4.3.4); null if there are none. They
 * belong to the payload, so that a repeated call is shown those of the first one (Contract 9.3.1).
 */
export function toWarnings(
  warnings: readonly Warning[],
  { language, unknownFields }: { language: Language; unknownFields: readonly string[] },
): WarningType[] | null {
  const ignored = unknownFields
    .slice(0, mostUnknownFields)
    .map((field): Warning => ({ code: 'unknown-field', field: excerpt(field) }));
  const all = [...warnings, ...ignored];
  if (all.length === 0) return null;
  return all.map(({ code, field }) => ({ code, field, message: warningMessages[code][language] }));
}

/** What both mutations take beside their input. */
@ArgsType()
export class UpdateArguments {
  @Field(() => Int, {
    nullable: true,
    description: 'The version that the caller has seen; any other is refused with version-conflict.',
  })
  expectedVersion?: number | null;

  @Field(() => String, {
    nullable: true,
    description:
      'A key of the caller’s choice, 1 to 255 visible ASCII characters: within 24 hours a repeated call is answered like the first and not run again.',
  })
  idempotencyKey?: string | null;

  @Field(() => Boolean, {
    defaultValue: false,
    description: 'Every check and the would-be result, but no write.',
  })
  dryRun!: boolean;
}
