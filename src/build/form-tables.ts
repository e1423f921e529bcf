import {
  getNamedType,
  type GraphQLInputField,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql';
import { companyFields } from '../company/company-fields.rules.js';
import { logoTypes, maxSidePixels } from '../company/logo/logo-image.js';
import { enumName, inputTypeName } from '../fields/field.graphql.js';
import { type FieldTable, inputPath, isClearable } from '../fields/fields.rules.js';
import { labels } from '../fields/labels.js';
import { buildSchema } from '../graphql/schema.js';
import { jobFields } from '../job/job-fields.rules.js';
import { largestPage } from '../paging/page.js';
import { settingsTable } from '../settings/settings-table.js';

const { logoMaxBytes } = settingsTable;
const logo = {
  maximumBytes: logoMaxBytes.parse(logoMaxBytes.default),
  maximumPixels: maxSidePixels,
  types: logoTypes,
};

const tables: Readonly<Record<string, FieldTable>> = {
  UpdateJobInput: jobFields,
  UpdateCompanyInput: companyFields,
};

/** The rows of all inputs, by type and name. */
const rows = new Map(
  Object.entries(tables).flatMap(([type, table]) =>
    Object.entries(table).map(([name, field]) => {
      const [key = name, part] = inputPath(name, field);
      return [part && field.object ? `${inputTypeName(field.object)}.${part}` : `${type}.${key}`, field];
    }),
  ),
);

function limitsOf(type: string, { name, type: fieldType }: GraphQLInputField) {
  const row = rows.get(`${type}.${name}`);
  const named = getNamedType(fieldType);
  const { values, ...limits } = row?.kind.limits ?? {};
  return {
    ...((isNonNullType(fieldType) || (row && !isClearable(row))) && { required: true }),
    ...(isEnumType(named) ? { choices: named.name } : values && { values }),
    ...limits,
    ...(name === 'logo' && logo),
    ...(!row && isListType(fieldType) && !isEnumType(named) && { maximumItems: largestPage }),
  };
}

/** The tables of the form kit. Of the inputs, only those with a limit. */
export function formTables(): Record<string, string> {
  const limits = Object.values(buildSchema().getTypeMap())
    .filter(isInputObjectType)
    .map((type) => {
      const fields = Object.values(type.getFields()).map(
        (field) => [field.name, limitsOf(type.name, field)] as const,
      );
      return [
        type.name,
        Object.fromEntries(fields.filter(([, found]) => Object.keys(found).length > 0)),
      ] as const;
    });
  const choices = Object.entries(labels).map(([name, named]) => [
    name,
    Object.entries(named).map(([choice, label]) => ({ value: enumName(choice), label })),
  ]);
  const printed = (name: string, entries: (readonly [string, unknown])[]) =>
    `// Emitted from the tables of the gateway by npm run emit.\nexport const ${name} = ${JSON.stringify(Object.fromEntries(entries))} as const;\n`;
  return {
    'schema/client/src/choice-table.ts': printed('choices', choices as [string, unknown][]),
    'schema/client/src/limit-table.ts': printed('limits', limits),
  };
}
