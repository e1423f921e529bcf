import { getNamedType, type GraphQLObjectType, isObjectType } from 'graphql';

/** Selects every field at every depth, except `without`. Tests read `history` and lists of records separately. */
export const everything = (type: GraphQLObjectType, without: readonly string[] = ['history']): string =>
  Object.values(type.getFields())
    .filter(({ name, args }) => !without.includes(name) && !args.some((each) => each.name === 'filter'))
    .map(({ name, type: ofField }) => {
      const below = getNamedType(ofField);
      return isObjectType(below) ? `${name} { ${everything(below, without)} }` : name;
    })
    .join(' ');
