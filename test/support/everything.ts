import { getNamedType, type GraphQLObjectType, isObjectType } from 'graphql';

/** A selection of everything of a type but some fields: by default histories, which are read by themselves. */
export const everything = (type: GraphQLObjectType, without: readonly string[] = ['history']): string =>
  Object.values(type.getFields())
    .filter(({ name }) => !without.includes(name))
    .map(({ name, type: ofField }) => {
      const below = getNamedType(ofField);
      return isObjectType(below) ? `${name} { ${everything(below, without)} }` : name;
    })
    .join(' ');
