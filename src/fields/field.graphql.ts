import 'reflect-metadata';
import { GraphQLError, GraphQLScalarType } from 'graphql';
import {
  ArgsType,
  type ClassType,
  createParameterDecorator,
  Extensions,
  Field,
  GraphQLISODateTime,
  ID,
  InputType,
  InterfaceType,
  Int,
  ObjectType as GraphQLObject,
  registerEnumType,
} from 'type-graphql';
import { type LocalisedText } from '../errors/catalogue.js';
import {
  describe,
  type WritableField as FieldOf,
  type FieldTable,
  inputPath,
  partsOf,
} from './fields.rules.js';
import { decimal, type ScalarName } from './kinds.rules.js';
import { type ChoiceOf, type EnumName, labels } from './labels.js';
import { type ObjectType } from './row.rules.js';

const Decimal = new GraphQLScalarType({
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

/** The GraphQL type of an object that an update takes. */
export const inputTypeName = ({ path }: { path: string }): string =>
  `${path.charAt(0).toUpperCase()}${path.slice(1)}Input`;

/** @param enums of the choices in the table, by the name of the type */
export function addFields(input: ClassType<object>, table: FieldTable, enums: Types = {}): void {
  const added = new Set<string>();
  for (const [name, field] of Object.entries(table)) {
    const [key = name] = inputPath(name, field);
    if (added.has(key)) continue;
    added.add(key);
    if (!field.object) addField(input, key, field, enums);
    else {
      const object = objectInput(table, field.object, enums);
      const { description } = field.object;
      Field(() => object, { nullable: true, description })(input.prototype, key);
    }
  }
}

function addField(input: ClassType<object>, key: string, field: FieldOf, enums: Types): void {
  const { graphql, isNeeded, list } = field.kind;
  const one = enums[namedIn(field.outputType)] ?? commonTypes[namedIn(graphql)];
  if (!one) throw new Error(`The field ${key} has no enum.`);
  const options = { nullable: !isNeeded, description: list?.description ?? describe(field) };
  Field(() => listed(graphql, one), options)(input.prototype, key);
}

/** By the path of their object: the inputs of a record share them. */
const objectInputs = new Map<string, ClassType<object>>();

function objectInput(
  table: FieldTable,
  object: NonNullable<FieldOf['object']>,
  enums: Types,
): ClassType<object> {
  const known = objectInputs.get(object.path);
  if (known) return known;
  const made = class {};
  InputType(inputTypeName(object), { description: object.description })(made);
  for (const { field, part } of partsOf(table, object.path)) addField(made, part, field, enums);
  objectInputs.set(object.path, made);
  return made;
}

/** GraphQL types by name. */
type Types = Readonly<Record<string, object>>;

const namedIn = (type = ''): string => type.replace(/[[\]!]/g, '');
const listed = (type: string, one: object) => (type.startsWith('[') ? [one] : one) as ClassType;

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

/** The types that any object may have. */
const commonTypes: Types & Record<ScalarName, object> = {
  String,
  ID,
  Int,
  Boolean,
  DateTimeISO: GraphQLISODateTime,
  Decimal,
  Language: choiceEnum('Language', 'A language, by its ISO 639-1 code.'),
};

@InterfaceType('Node', {
  description:
    'A record with an id that is unique in the whole graph and never changes, so that clients can use it as a cache key.',
  resolveType: ({ __typename }: { __typename: string }) => __typename,
})
export abstract class NodeType {
  @Field(() => ID, { description: 'Opaque id.' })
  id!: string;
}

const known = new Map<ObjectType, ClassType<object>>();

/** The GraphQL type of an object. @param others the types of its fields that have no rows, such as enums, by name */
export function buildObjectType(name: string, object: ObjectType, others: Types = {}): ClassType<object> {
  const made = known.get(object) ?? class {};
  if (known.has(object)) return made;
  known.set(object, made);
  GraphQLObject(name, {
    simpleResolvers: true,
    description: object.description,
    ...(object.isNode && { implements: NodeType }),
  })(made);
  for (const [field, { type, description, of, deprecationReason, complexity, ...row }] of Object.entries(
    object.fields,
  )) {
    if (type === undefined) continue;
    if (row.rest === undefined || (row.for && type.endsWith('!')))
      throw new Error(
        `${name}.${field} must say what REST shows, and be nullable if not everybody may see it.`,
      );
    const named = namedIn(type);
    const one = of ? buildObjectType(named, of, others) : { ...commonTypes, ...others }[named];
    if (!one) throw new Error(`${name}.${field} has the unknown type ${named}.`);
    const options = { nullable: !type.endsWith('!'), description, deprecationReason, complexity } as object;
    Field(() => listed(type, one), options)(made.prototype, field);
    if (row.for) Extensions({ for: row.for })(made.prototype, field);
  }
  return made;
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
    description:
      'Runs all checks and returns the result, but writes nothing. For updateJob it spends 5 units of the read quota, and none of its own.',
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
