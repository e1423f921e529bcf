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
  typeFromAST,
} from 'graphql';

/** Deeper than any input of the schema. The search needs a limit because two input types can refer to each other. */
const deepest = 4;

/** The variable paths at which an operation takes a file, such as `input.logo`; without lists of files. */
export function uploadPaths(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName?: string | null,
): string[] {
  const operations = document.definitions.filter(
    (definition) => definition.kind === Kind.OPERATION_DEFINITION,
  );
  const operation = operations.find(({ name }) => name?.value === operationName) ?? operations[0];
  return (operation?.variableDefinitions ?? []).flatMap(({ variable, type: node }) => {
    const type = typeFromAST(schema, node);
    return isInputType(type) ? pathsWithin(type, variable.name.value, 1) : [];
  });
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
