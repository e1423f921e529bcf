import {
  getNamedType,
  type GraphQLFieldMap,
  type GraphQLSchema,
  isInputObjectType,
  isObjectType,
} from 'graphql';
import { type AnyDocumented, shownFields } from './documented.js';

/** The end of every reason of `@deprecated`: two days, in UTC. */
const dates = /\bDeprecated since (\d{4}-\d\d-\d\d), gone on (\d{4}-\d\d-\d\d)\.$/;

/** Reads the two days of a reason. @throws Error where it lacks them, since no caller could then prepare for the end */
function datesOf(reason: string): { since: Date; end: Date } {
  const [, since, end] = dates.exec(reason) ?? [];
  if (!since || !end)
    throw new Error(`"${reason}" must end with "Deprecated since YYYY-MM-DD, gone on YYYY-MM-DD."`);
  return { since: new Date(since), end: new Date(end) };
}

/** `Deprecation` (RFC 9745) and `Sunset` (RFC 8594) of whatever is gone first; no headers if nothing is deprecated. */
function deprecationHeaders(reasons: readonly string[]): Record<string, string> {
  const [first] = reasons.map(datesOf).sort((one, other) => Number(one.end) - Number(other.end));
  return first ? { deprecation: `@${Number(first.since) / 1000}`, sunset: first.end.toUTCString() } : {};
}

/** Makes the headers of a call from the input that it gives. */
type DeprecationsOf = (input?: object) => Record<string, string>;

/**
 * Makes the headers that tell a caller of REST of what is deprecated in the GraphQL schema: the operation, a key of
 * its reply, or a field that the call gives (Contract 4.5.6).
 * @param operation the root field that the path executes
 * @param record name of the type that it answers
 */
export function deprecationsOf(
  schema: GraphQLSchema,
  operation: string,
  record: string,
  documented: AnyDocumented,
): DeprecationsOf {
  const root = { ...schema.getQueryType()?.getFields(), ...schema.getMutationType()?.getFields() }[operation];
  if (!root) throw new Error(`the schema has no operation ${operation}`);
  const inputType = root.args.map(({ type }) => getNamedType(type)).find(isInputObjectType);
  const inputs = Object.values(inputType?.getFields() ?? {}).filter(isDeprecated);
  const always = [...[root].filter(isDeprecated), ...shownDeprecated(schema, record, documented)];
  for (const { deprecationReason } of [...always, ...inputs]) datesOf(deprecationReason);
  return (input = {}) =>
    deprecationHeaders(
      [...always, ...inputs.filter(({ name }) => name in input)].map(
        ({ deprecationReason }) => deprecationReason,
      ),
    );
}

interface Deprecated {
  name: string;
  deprecationReason: string;
}
const isDeprecated = <Field extends { deprecationReason?: string | null | undefined }>(
  field: Field,
): field is Field & { deprecationReason: string } => Boolean(field.deprecationReason);

function shownDeprecated(schema: GraphQLSchema, name: string, documented: AnyDocumented): Deprecated[] {
  const type = schema.getType(name);
  const fields: GraphQLFieldMap<unknown, unknown> = isObjectType(type) ? type.getFields() : {};
  return shownFields(documented).flatMap(({ field, fields: below }) => {
    const found = fields[field];
    if (!found) throw new Error(`the schema has no field ${name}.${field}`);
    return [
      ...[found].filter(isDeprecated),
      ...(below ? shownDeprecated(schema, getNamedType(found.type).name, below) : []),
    ];
  });
}
