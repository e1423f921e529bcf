import { readdirSync, readFileSync } from 'node:fs';
import { type DocumentNode, execute, type GraphQLSchema, parse, validate } from 'graphql';
import { type RequestContext } from '../access/request-context.js';
import { DomainError } from '../errors/domain-error.js';
import { toDomainError } from '../errors/mask-error.js';

/** Runs one of the named operations of `schema/operations`. @throws DomainError the first error of the operation */
export type Executor = <Data>(
  operation: string,
  variables: Record<string, unknown>,
  context: RequestContext,
) => Promise<Data>;

const operationsFolder = new URL('../../schema/operations/', import.meta.url);

/** Parses and validates the named operations once, so that running one costs its execution alone. */
export function createExecutor(schema: GraphQLSchema): Executor {
  const documents = new Map(
    readdirSync(operationsFolder).map((file): [string, DocumentNode] => {
      const document = parse(readFileSync(new URL(file, operationsFolder), 'utf8'));
      const faults = validate(schema, document);
      if (faults.length > 0) throw new AggregateError(faults, `${file} does not fit the schema`);
      return [file.replace(/\.graphql$/, ''), document];
    }),
  );
  return async <Data>(operation: string, variables: Record<string, unknown>, context: RequestContext) => {
    const document = documents.get(operation);
    if (!document) throw new Error(`there is no operation ${operation}`);
    const { data, errors } = await execute({
      schema,
      document,
      variableValues: variables,
      contextValue: context,
    });
    const [error] = errors ?? [];
    if (error)
      throw error.originalError
        ? toDomainError(error.originalError)
        : new DomainError('internal-error', { cause: error });
    return data as Data;
  };
}
