import { MapperKind, mapSchema } from '@graphql-tools/utils';
import { GraphQLString, type GraphQLSchema } from 'graphql';
import { companyFields } from '../company/company-fields.rules.js';
import { inputTypeName } from '../fields/field.graphql.js';
import { describe, type FieldTable } from '../fields/fields.rules.js';
import { memoize } from '../memoize.js';
import { jobFields, newJobFields } from '../job/job-fields.rules.js';
import { type MutationField } from '../operations.js';

/** `inQuery`: the parameter of the only field that the query string can have, too. */
export const mutations = {
  updateCompany: { table: companyFields, inQuery: 'company-public-id', success: 201 },
  updateJob: { table: jobFields, inQuery: null, success: 200 },
  createJob: { table: newJobFields, inQuery: null, success: 201 },
} as const satisfies Record<MutationField, { table: FieldTable; inQuery: string | null; success: number }>;

const fields: [string, FieldTable[string]][] = Object.entries({ ...companyFields, ...jobFields });

/**
 * The schema as REST runs it. A body can leave out parts of an object that GraphQL requires, and writes a list of ids as one text. The
 * field tables find what is wrong with them, so the errors have the codes and the place that REST documents.
 */
export const restSchema = memoize((schema: GraphQLSchema) =>
  mapSchema(schema, {
    [MapperKind.INPUT_OBJECT_FIELD]: (config, name, type) => {
      for (const [inBody, field] of fields) {
        if (field.type.list?.name === name)
          return [inBody, { ...config, type: GraphQLString, description: describe(field) }];
        if (field.object && inputTypeName(field.object) === type && field.path.endsWith(`.${name}`))
          return field.type.isNeeded ? { ...config, type: GraphQLString } : undefined;
      }
      return undefined;
    },
  }),
);
