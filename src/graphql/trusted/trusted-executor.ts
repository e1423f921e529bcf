import {
  type DefinitionNode,
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
import { setImmediate as nextTurn } from 'node:timers/promises';
import { mostErrors } from '../apollo.js';
import { type TrustedDocuments } from './trusted-documents.js';

/** Runs an operation of a trusted document. */
export type TrustedExecutor = (
  operation: Pick<ExecutionArgs, 'document' | 'operationName' | 'contextValue' | 'variableValues'>,
) => Promise<ExecutionResult>;

/**
 * Makes what runs trusted documents, and compiles the queries among them: a page of 50 jobs with every field takes a third less
 * processor time (test/bench/RESULTS.md). No other document is compiled, since its author might choose one that takes seconds, or
 * one that the compiler gets wrong. Nor are mutations, which would gain 6 %.
 */
export async function createTrustedExecutor(
  schema: GraphQLSchema,
  documents: TrustedDocuments,
): Promise<TrustedExecutor> {
  const options = { maxCoercionErrors: mostErrors.inVariables };
  const queries = await compileQueries(schema, documents);
  return async ({ document, operationName, contextValue, variableValues: given }) => {
    const variableValues = given ?? {};
    const operation = getOperationAST(document, operationName);
    const query = operation && queries.get(operation);
    if (!query) return execute({ schema, document, operationName, contextValue, variableValues, options });
    // The compiler would tell every variable that does not fit.
    const { errors } = getVariableValues(schema, operation.variableDefinitions ?? [], variableValues, {
      maxErrors: mostErrors.inVariables,
    });
    if (errors) return { errors };
    const result = await query.query(undefined, contextValue, variableValues);
    return result.errors ? { ...result, errors: result.errors.map(asExecuted) } : result;
  };
}

/** The compiled queries of these documents. At the start, since no other request shall wait while one is compiled. */
async function compileQueries(
  schema: GraphQLSchema,
  documents: TrustedDocuments,
): Promise<Map<OperationDefinitionNode, CompiledQuery>> {
  const compiled = new Map<OperationDefinitionNode, CompiledQuery>();
  // It takes 40 ms to load, which most gateways need not wait for.
  if (documents.size === 0) return compiled;
  const { compileQuery, isCompiledQuery } = await import('graphql-jit');
  for (const { document } of documents.values()) {
    if (!isSafe(document)) continue;
    for (const operation of document.definitions.filter(isQuery)) {
      const query = compileQuery(schema, document, operation.name?.value);
      // Node.js may have been told to make no code of texts.
      if (isCompiledQuery(query)) compiled.set(operation, query);
    }
    // Signals and the beats of the database's connections wait no longer than for one document.
    await nextTurn();
  }
  return compiled;
}

const isQuery = (definition: DefinitionNode): definition is OperationDefinitionNode =>
  definition.kind === Kind.OPERATION_DEFINITION && definition.operation === OperationTypeNode.QUERY;

/**
 * Whether the queries of a document are answered the same when compiled. The compiler does not follow every directive within fragments. A
 * variable that is absent within an object reads as null, which would unset a field. An alias with `_` may read like the path to
 * another field, whose place a resolver would then be told, or like a prototype. Null for a variable with a default, where the
 * field takes none, would be a fault of ours.
 */
function isSafe(document: DocumentNode): boolean {
  let isPlain = true;
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

/** A compiled query wraps an error that has its place already. */
const asExecuted = (error: GraphQLError): GraphQLError =>
  error.originalError instanceof GraphQLError ? error.originalError : error;
