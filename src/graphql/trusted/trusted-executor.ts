import {
  type DocumentNode,
  execute,
  type ExecutionArgs,
  type ExecutionResult,
  getOperationAST,
  getVariableValues,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  visit,
} from 'graphql';
import { type CompiledQuery } from 'graphql-jit';
import { mostErrors } from '../apollo.js';

/** Runs an operation of a trusted document. */
export type TrustedExecutor = (
  operation: Pick<ExecutionArgs, 'document' | 'operationName' | 'contextValue' | 'variableValues'>,
) => Promise<ExecutionResult>;

/**
 * Runs trusted documents, queries among them compiled: a page of 50 jobs with every field takes a third less processor time
 * (test/bench/RESULTS.md). No other document is compiled, since its author might choose one that takes seconds, or one that the
 * compiler gets wrong. Nor are mutations, which would gain 6 %.
 */
export function createTrustedExecutor(schema: GraphQLSchema): TrustedExecutor {
  const options = { maxCoercionErrors: mostErrors.inVariables };
  const compiled = new WeakMap<OperationDefinitionNode, Promise<CompiledQuery | null>>();

  const compile = async (
    document: DocumentNode,
    operation: OperationDefinitionNode,
  ): Promise<CompiledQuery | null> => {
    if (!isSafe(document, operation)) return null;
    // It takes 40 ms to load, and a query 1 to 7 ms to compile: a start would wait for queries that nobody may ask for.
    const { compileQuery, isCompiledQuery } = await import('graphql-jit');
    const query = compileQuery(schema, document, operation.name?.value);
    // Node.js may have been told to make no code of texts.
    return isCompiledQuery(query) ? query : null;
  };

  return async ({ document, operationName, contextValue, variableValues: given }) => {
    const variableValues = given ?? {};
    const operation = getOperationAST(document, operationName);
    const compiling = operation && (compiled.get(operation) ?? compile(document, operation));
    if (operation && compiling) compiled.set(operation, compiling);
    const query = await compiling;
    if (!operation || !query)
      return execute({ schema, document, operationName, contextValue, variableValues, options });
    // The compiler would tell every variable that does not fit.
    const { errors } = getVariableValues(schema, operation.variableDefinitions ?? [], variableValues, {
      maxErrors: mostErrors.inVariables,
    });
    if (errors) return { errors };
    const result = await query.query(undefined, contextValue, variableValues);
    return result.errors ? { ...result, errors: result.errors.map(asExecuted) } : result;
  };
}

/**
 * Whether an operation is answered the same when compiled. The compiler does not follow every directive within fragments. A
 * variable that is absent within an object reads as null, which would unset a field. An alias with `_` may read like the path to
 * another field, whose place a resolver would then be told, or like a prototype. Null for a variable with a default, where the
 * field takes none, would be a fault of ours.
 */
function isSafe(document: DocumentNode, operation: OperationDefinitionNode): boolean {
  let isPlain = operation.operation === OperationTypeNode.QUERY;
  const refuse = () => {
    isPlain = false;
  };
  visit(document, {
    Directive: refuse,
    ObjectValue: refuse,
    Field: ({ alias }) => {
      if (alias?.value.includes('_')) refuse();
    },
    VariableDefinition: ({ type, defaultValue }) => {
      if (defaultValue && type.kind !== Kind.NON_NULL_TYPE) refuse();
    },
  });
  return isPlain;
}

/** A compiled query wraps an error that has its place already, and gives a value that does not fit no original. */
function asExecuted(error: GraphQLError): GraphQLError {
  const { originalError, message, path = [], locations } = error;
  if (originalError instanceof GraphQLError) return originalError;
  if (originalError) return error;
  return Object.assign(new GraphQLError(message, { path, originalError: new Error(message) }), { locations });
}
