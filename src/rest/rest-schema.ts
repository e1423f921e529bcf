import { MapperKind, mapSchema } from '@graphql-tools/utils';
import { GraphQLString, type GraphQLSchema } from 'graphql';
import { companyFields } from '../company/company-fields.rules.js';
import { inputTypeName } from '../fields/field.graphql.js';
import { describe, type FieldTable } from '../fields/fields.rules.js';
import { memoize } from '../memoize.js';
import { jobFields } from '../job/job-fields.rules.js';
import { operations, type UpdateField } from '../operations.js';

/** The updates of each record. `inQuery`: the parameter of the only field that the query string can have, too. */
const updated = {
  company: { table: companyFields, inQuery: 'company-public-id', success: 201 },
  job: { table: jobFields, inQuery: null, success: 200 },
};

export const updateOf = (field: UpdateField) => updated[operations[field].record];

const fields: [string, FieldTable[string]][] = Object.entries({ ...companyFields, ...jobFields });

/**
 * The schema as REST runs it. A body can leave out parts of an object that GraphQL requires, and writes a list of ids as one text. The
 * field tables find what is wrong with them, so the errors have the codes and the place that REST documents (Contract 7.6.3).
 */
export const restSchema = memoize((schema: GraphQLSchema) =>
  mapSchema(schema, {
    [MapperKind.INPUT_OBJECT_FIELD]: (config, name, type) => {
      for (const [inBody, field] of fields) {
        if (field.kind.list?.name === name)
          return [inBody, { ...config, type: GraphQLString, description: describe(field) }];
        if (field.object && inputTypeName(field.object) === type && field.path.endsWith(`.${name}`))
          return field.kind.isNeeded ? { ...config, type: GraphQLString } : undefined;
      }
      return undefined;
    },
  }),
);
