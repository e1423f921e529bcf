import { readFileSync } from 'node:fs';
import { execute, type GraphQLSchema, parse, validate } from 'graphql';
import { type RequestContext } from '../access/request-context.js';
import { toDomainError } from '../errors/mask-error.js';

/** What an operation answers that had no error: every root field, since one is null only where it failed. */
export type Answered<Data> = { [Field in keyof Data]: NonNullable<Data[Field]> };

/** Runs an operation. @throws DomainError its first error */
export type Operation<Data> = (
  variables: Record<string, unknown>,
  context: RequestContext,
) => Promise<Answered<Data>>;

/** Parses and validates a named operation of `schema/operations` once, for all the calls that run it. */
export function prepareOperation<Data>(schema: GraphQLSchema, name: string): Operation<Data> {
  const file = new URL(`../../schema/operations/${name}.graphql`, import.meta.url);
  const document = parse(readFileSync(file, 'utf8'));
  const faults = validate(schema, document);
  if (faults.length > 0) throw new AggregateError(faults, `${name} does not fit the schema`);
  return async (variableValues, contextValue) => {
    const { data, errors } = await execute({ schema, document, contextValue, variableValues });
    const [error] = errors ?? [];
    if (error) throw toDomainError(error.originalError ?? error);
    return data as Answered<Data>;
  };
}
