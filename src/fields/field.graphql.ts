import 'reflect-metadata';
import { GraphQLError, GraphQLScalarType } from 'graphql';
import {
  ArgsType,
  type ClassType,
  createParameterDecorator,
  Field,
  GraphQLISODateTime,
  ID,
  InterfaceType,
  Int,
  ObjectType,
  registerEnumType,
} from 'type-graphql';
import { type LocalisedText } from '../errors/catalogue.js';
import { dryRunCosts } from '../operations.js';
import { describe, type FieldTable, inputPath } from './fields.rules.js';
import { decimal, type ScalarName } from './field-types.rules.js';
import { type ChoiceOf, type EnumName, labels } from './labels.js';

export const Decimal = new GraphQLScalarType({
  name: 'Decimal',
  description: 'A decimal, sent as a number or a text.',
  parseValue(value) {
    const read = decimal.parse(value);
    if (read === undefined) throw new GraphQLError('A Decimal must be a number or a text.');
    return read;
  },
});

/** The description of an input: how it treats absent, null and empty fields. */
export const absentNullOrEmpty = (kept: string): string =>
  `An omitted field keeps its value. Null clears any field of the record except ${kept}. An empty text, which forms send for null, clears free texts; elsewhere it is an error.`;

/** The GraphQL type of an object in an input. */
export const inputTypeName = ({ path }: { path: string }): string =>
  `${path.charAt(0).toUpperCase()}${path.slice(1)}Input`;

/**
 * Returns the decorator of the fields of an input class that rows of the table describe: the row has the description and says whether
 * GraphQL requires the field.
 * @param types the enums and input objects among the fields, by name
 * @param object the path of the object whose parts are the fields
 */
export function inputField<Names extends string>(table: FieldTable, types: Types = {}, object?: string) {
  const rows = Object.entries(table);
  return (input: object, key: Names): void => {
    const path = object === undefined ? [key] : [object, key];
    const row = rows.find(([name, field]) =>
      path.every((part, at) => inputPath(name, field)[at] === part),
    )?.[1];
    if (!row) throw new Error(`No row has the input ${path.join('.')}.`);
    const { type } = row;
    const whole = object === undefined ? row.object : undefined;
    const one = types[key] ?? scalars[namedIn(type.graphql) as ScalarName];
    if (!one) throw new Error(`The input ${key} has no type.`);
    const shown = whole ? one : listed(type.graphql, one);
    const description = whole?.description ?? type.list?.description ?? describe(row);
    Field(() => shown as ClassType, { nullable: !type.isNeeded || whole !== undefined, description })(
      input,
      key,
    );
  };
}

/** GraphQL types by name. */
type Types = Readonly<Record<string, object>>;

const namedIn = (type: string): string => type.replace(/[[\]!]/g, '');
const listed = (type: string, one: object) => (type.startsWith('[') ? [one] : one);

/** GraphQL allows no hyphens in the names of enum values. */
export const enumName = (choice: string): string => choice.replaceAll('-', '_');

/**
 * An enum of the choices that have labels, described by their labels or by `described`. Resolvers and arguments have the choices, whatever
 * their names in the schema.
 */
export function choiceEnum<Name extends EnumName, Described extends Record<ChoiceOf<Name>, string>>(
  name: Name,
  description: string,
  described?: Described & Record<Exclude<keyof Described, ChoiceOf<Name>>, never>,
): Readonly<Record<string, ChoiceOf<Name>>> {
  type Choice = ChoiceOf<Name>;
  const labelled = labels[name] as Record<Choice, LocalisedText>;
  const choices = Object.keys(labelled) as Choice[];
  const byName = <Value>(value: (choice: Choice) => Value): Record<string, Value> =>
    Object.fromEntries(choices.map((choice) => [enumName(choice), value(choice)]));
  const values = byName((choice) => choice);
  const valuesConfig = byName((choice) => ({
    description: described?.[choice] ?? labelled[choice].en.replace(/\.?$/, '.'),
  }));
  registerEnumType(values, { name, description, valuesConfig });
  return values;
}

const scalars: Record<ScalarName, object> = {
  String,
  ID,
  Int,
  Boolean,
  DateTimeISO: GraphQLISODateTime,
  Decimal,
};

export const LanguageEnum = choiceEnum('Language', 'A language, by its ISO 639-1 code.');

@InterfaceType('Node', {
  description:
    'A record with an id that is unique in the whole graph and never changes, so that clients can use it as a cache key.',
  resolveType: ({ __typename }: { __typename: string }) => __typename,
})
export abstract class NodeType {
  @Field(() => ID, { description: 'Opaque id.' })
  id!: string;
}

@ObjectType('LocalisedText', { simpleResolvers: true, description: 'A text in both languages.' })
export class LocalisedTextType implements LocalisedText {
  @Field(() => String, { description: 'In English.' })
  en!: string;

  @Field(() => String, { description: 'In French.' })
  fr!: string;
}

/** A field for the public id of a record. */
export const PublicId = (description: string, options?: { nullable: true }): PropertyDecorator =>
  Field(() => String, { ...options, description });

/** The argument `input` as it came. With `@Arg`, TypeGraphQL would drop the fields that only the schema of REST has. */
export const InputArg = (input: () => ClassType<object>, description: string): ParameterDecorator =>
  createParameterDecorator(({ args }) => args.input as object, {
    arg: { name: 'input', typeFunc: input, options: { description } },
  }) as ParameterDecorator;

@ArgsType()
export class MutationArguments {
  @Field(() => String, {
    nullable: true,
    description:
      'A key that the caller chooses, 1 to 255 visible ASCII characters. For 24 hours, a repeated call gets the first reply and does not run again.',
  })
  idempotencyKey?: string | null;

  @Field(() => Boolean, {
    defaultValue: false,
    description: `Runs all checks and returns the result, but writes nothing. ${dryRunCosts}`,
  })
  dryRun!: boolean;
}

@ArgsType()
export class UpdateArguments extends MutationArguments {
  @Field(() => Int, {
    nullable: true,
    description:
      'The version that the caller last read. If the record has another version, the call fails with version-conflict.',
  })
  expectedVersion?: number | null;
}
