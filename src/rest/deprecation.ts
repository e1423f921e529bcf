import { getNamedType, type GraphQLInputField, type GraphQLSchema } from 'graphql';
import { type DocumentedField } from '../operations.js';
import { definedFields, inputOf, type Key, rootField } from './documented.js';
import { documentedReplies } from './envelope.js';

/** Every `@deprecated` reason must end with these two days, in UTC. */
const dates = /\bDeprecated since (\d{4}-\d\d-\d\d), gone on (\d{4}-\d\d-\d\d)\.$/;

interface Deprecation {
  name: string;
  since: Date;
  end: Date;
}

/** @throws Error if the reason lacks the two days */
function deprecationIn({
  name,
  deprecationReason: reason,
}: Pick<GraphQLInputField, 'name' | 'deprecationReason'>): Deprecation[] {
  if (!reason) return [];
  const [, since, end] = dates.exec(reason) ?? [];
  if (!since || !end)
    throw new Error(`"${reason}" must end with "Deprecated since YYYY-MM-DD, gone on YYYY-MM-DD."`);
  return [{ name, since: new Date(since), end: new Date(end) }];
}

/** `Deprecation` (RFC 9745) and `Sunset` (RFC 8594) of the part that is removed first. */
function deprecationHeaders(deprecations: readonly Deprecation[]): Record<string, string> {
  const [first] = [...deprecations].sort((one, other) => Number(one.end) - Number(other.end));
  return first ? { deprecation: `@${Number(first.since) / 1000}`, sunset: first.end.toUTCString() } : {};
}

/**
 * Returns a function that gives the deprecation headers of a call (Contract 4.5.6). The operation, a key of its reply or a field of the
 * input can be deprecated.
 */
export function deprecationsOf(
  schema: GraphQLSchema,
  operation: DocumentedField,
): (input?: object) => Record<string, string> {
  const root = rootField(schema, operation);
  const inputs = Object.values(inputOf(root)?.getFields() ?? {}).flatMap(deprecationIn);
  const { type, shown } = documentedReplies[operation];
  const always = [...deprecationIn(root), ...shownDeprecations(schema, type, shown)];
  return (input = {}) => deprecationHeaders([...always, ...inputs.filter(({ name }) => name in input)]);
}

const shownDeprecations = (schema: GraphQLSchema, type: string, keys: readonly Key[]): Deprecation[] =>
  definedFields(schema, type, keys).flatMap(({ definition, keys: below }) => [
    ...deprecationIn(definition),
    ...(below ? shownDeprecations(schema, getNamedType(definition.type).name, below) : []),
  ]);
