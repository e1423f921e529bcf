import { readFileSync } from 'node:fs';
import { type GraphQLSchema, parse, validate } from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import { type RequestContext } from '../access/request-context.js';
import { DomainError } from '../errors/domain-error.js';
import { toDomainError } from '../errors/mask-error.js';

/** Runs an operation. @throws DomainError its first error */
export type Operation<Data> = (variables: Record<string, unknown>, context: RequestContext) => Promise<Data>;

/**
 * Parses, validates and compiles a named operation of `schema/operations` once, so that running it costs little more
 * than its resolvers. Only for operations of ours, whose arguments are all variables: in an input object that an
 * operation spells out, the compiler takes an absent variable for null, and so would unset a field that was not given.
 */
export function prepareOperation<Data>(schema: GraphQLSchema, name: string): Operation<Data> {
  const file = new URL(`../../schema/operations/${name}.graphql`, import.meta.url);
  const document = parse(readFileSync(file, 'utf8'));
  const faults = validate(schema, document);
  if (faults.length > 0) throw new AggregateError(faults, `${name} does not fit the schema`);
  const operation = compileQuery(schema, document);
  if (!isCompiledQuery(operation))
    throw new AggregateError(operation.errors ?? [], `${name} does not compile`);

  return async (variables, context) => {
    const { data, errors } = await operation.query(undefined, context, variables);
    const [error] = errors ?? [];
    if (error)
      throw error.originalError
        ? toDomainError(error.originalError)
        : new DomainError('internal-error', { cause: error });
    return data as Data;
  };
}
