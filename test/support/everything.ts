import { getNamedType, type GraphQLField, type GraphQLObjectType, isObjectType } from 'graphql';

/** Whether a field leads on to other records, and so without end. */
export const isRecordList = ({ args }: GraphQLField<unknown, unknown>): boolean =>
  args.some(({ name }) => name === 'filter');

/** Selects every field at every depth, except `without`. Tests read `history` and lists of records separately. */
export const everything = (type: GraphQLObjectType, without: readonly string[] = ['history']): string =>
  Object.values(type.getFields())
    .filter((field) => !without.includes(field.name) && !isRecordList(field))
    .map(({ name, type: ofField }) => {
      const below = getNamedType(ofField);
      return isObjectType(below) ? `${name} { ${everything(below, without)} }` : name;
    })
    .join(' ');
