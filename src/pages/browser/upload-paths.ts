import {
  type DocumentNode,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  Kind,
  type OperationDefinitionNode,
  typeFromAST,
  type TypeNode,
} from 'graphql';

/** The schema nests inputs less deeply than this. The bound ends the walk if two input types refer to each other. */
const deepest = 4;

/** Where the variables of an operation take a file, such as `input.logo`; lists of files are left out. */
export function uploadPaths(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName?: string | null,
): string[] {
  const operations = document.definitions.filter(
    (definition): definition is OperationDefinitionNode => definition.kind === Kind.OPERATION_DEFINITION,
  );
  const operation = operations.find(({ name }) => name?.value === operationName) ?? operations[0];
  return (operation?.variableDefinitions ?? []).flatMap(({ variable, type }) => {
    const inputType = inputTypeOf(schema, type);
    return inputType ? pathsWithin(inputType, variable.name.value, 1) : [];
  });
}

/** The type that a variable declares, without its list and non-null marks; null if the schema has no such type. */
function inputTypeOf(schema: GraphQLSchema, node: TypeNode): GraphQLInputType | null {
  const name = node.kind === Kind.NON_NULL_TYPE ? node.type : node;
  if (name.kind !== Kind.NAMED_TYPE) return null;
  const type = typeFromAST(schema, name);
  return isInputType(type) ? type : null;
}

function pathsWithin(type: GraphQLInputType, path: string, depth: number): string[] {
  const bare = isNonNullType(type) ? type.ofType : type;
  if (isListType(bare) || depth > deepest) return [];
  if (getNamedType(bare).name === 'Upload') return [path];
  if (!isInputObjectType(bare)) return [];
  return Object.values(bare.getFields()).flatMap((field) =>
    pathsWithin(field.type, `${path}.${field.name}`, depth + 1),
  );
}
