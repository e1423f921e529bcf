import { getNamedType, type GraphQLObjectType, isObjectType } from 'graphql';

/** Selects every field at every depth, except `without`. Tests read `history` separately. */
export const everything = (type: GraphQLObjectType, without: readonly string[] = ['history']): string =>
  Object.values(type.getFields())
    .filter(({ name }) => !without.includes(name))
    .map(({ name, type: ofField }) => {
      const below = getNamedType(ofField);
      return isObjectType(below) ? `${name} { ${everything(below, without)} }` : name;
    })
    .join(' ');
