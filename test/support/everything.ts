import { getNamedType, type GraphQLObjectType, isObjectType } from 'graphql';

/** A selection of everything of a type, histories apart, which are read by themselves. */
export const everything = (type: GraphQLObjectType): string =>
  Object.values(type.getFields())
    .filter(({ name }) => name !== 'history')
    .map(({ name, type: ofField }) => {
      const below = getNamedType(ofField);
      return isObjectType(below) ? `${name} { ${everything(below)} }` : name;
    })
    .join(' ');
