import { readFileSync } from 'node:fs';
import { execute, type GraphQLSchema, parse, validate } from 'graphql';
import { type RequestContext } from '../access/request-context.js';
import { documentedName } from '../errors/documented-name.js';
import { toDomainError } from '../errors/mask-error.js';
import { type DocumentedField } from '../operations.js';

/** What an operation answers that had no error: every root field, since one is null only where it failed. */
export type Answered<Data> = { [Field in keyof Data]: NonNullable<Data[Field]> };

/** Runs an operation. @throws DomainError its first error */
export type Operation<Data> = (
  variables: Record<string, unknown>,
  context: RequestContext,
) => Promise<Answered<Data>>;

/** The file of the named operation that REST runs: `updateJob` is in `update-job.graphql`. */
export const operationFile = (field: DocumentedField): string =>
  `schema/operations/${documentedName(field).replaceAll('_', '-')}.graphql`;

/** Parses and validates a root field's named operation once, for all the calls that run it. */
export function prepareOperation<Data>(schema: GraphQLSchema, field: DocumentedField): Operation<Data> {
  const file = operationFile(field);
  const document = parse(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8'));
  const faults = validate(schema, document);
  if (faults.length > 0) throw new AggregateError(faults, `${file} does not fit the schema`);
  return async (variableValues, contextValue) => {
    const { data, errors } = await execute({ schema, document, contextValue, variableValues });
    const [error] = errors ?? [];
    if (error) throw toDomainError(error.originalError ?? error);
    return data as Answered<Data>;
  };
}
