import { execute, type ExecutionResult, type GraphQLSchema } from 'graphql';
import { type RequestContext } from '../permissions/request-context.js';
import { assertComplexity, pricing, type RequestedOperation } from './bounds/price-operation.js';
import { mostVariableFaults } from './variable-faults.js';

export type RunOperation = (
  requested: RequestedOperation,
  contextValue: RequestContext,
) => Promise<ExecutionResult>;

/**
 * Returns the function that runs the valid operations of both APIs: it sets the price that the stages of the schema charge, and executes.
 * @param mostComplexity the function throws a GraphQLError for a dearer operation
 */
export function operationRunner(schema: GraphQLSchema, mostComplexity = Infinity): RunOperation {
  const priceOf = pricing(schema);
  const options = { maxCoercionErrors: mostVariableFaults };
  return async (requested, contextValue) => {
    const price = priceOf(requested);
    contextValue.cost.price = price;
    if (price) assertComplexity(price, mostComplexity);
    const { document, operationName, variables: variableValues } = requested;
    return execute({ schema, document, operationName, variableValues, contextValue, options });
  };
}
