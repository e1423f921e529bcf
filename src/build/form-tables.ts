import { getNamedType, type GraphQLInputField, isEnumType, isInputObjectType, isNonNullType } from 'graphql';
import { companyFields } from '../company/company-fields.rules.js';
import { logoTypes, maxSidePixels } from '../company/logo/logo-image.js';
import { enumName, inputTypeName } from '../fields/field.graphql.js';
import { type FieldTable, inputPath, isClearable } from '../fields/fields.rules.js';
import { labels } from '../fields/labels.js';
import { buildSchema } from '../graphql/schema.js';
import { longestPublicId } from '../job/job-creation.rules.js';
import { jobFields, newJobFields } from '../job/job-fields.rules.js';
import { moves } from '../job/job.rules.js';
import { settingsTable } from '../settings/settings-table.js';
import { allowedTags } from '../text/html-writer.rules.js';

const { logoMaxBytes } = settingsTable;
const logo = {
  maximumBytes: logoMaxBytes.parse(logoMaxBytes.default),
  maximumPixels: maxSidePixels,
  types: logoTypes,
};

const tables: Readonly<Record<string, FieldTable>> = {
  CreateJobInput: newJobFields,
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

function limitsOf(type: string, { name, type: fieldType }: GraphQLInputField): Record<string, unknown> {
  const row = rows.get(`${type}.${name}`);
  const named = getNamedType(fieldType);
  const { values, ...limits } = row?.type.limits ?? {};
  const choices = row?.type.choices;
  const isNew = type === 'CreateJobInput';
  return {
    ...((isNonNullType(fieldType) || (row && !isClearable(row) && !isNew)) && {
      required: true,
    }),
    ...(isEnumType(named) ? { choices: named.name } : values && { values }),
    ...(isEnumType(named) && choices && choices.length < named.getValues().length && { values: choices }),
    ...limits,
    ...(isNew && name === 'jobPublicId' && { maximumLength: longestPublicId }),
    ...(name === 'logo' && logo),
  };
}

/** Each reply has a message for its codes, and no form shows quotas or scopes. */
const unlabelled = ['ErrorCode', 'FaultReason', 'QuotaName', 'Scope', 'UnauthorizedReason', 'WarningCode'];

const printed = (tables: Readonly<Record<string, unknown>>): string => {
  const constants = Object.entries(tables).map(
    ([name, table]) => `export const ${name} = ${JSON.stringify(table)} as const;\n`,
  );
  return ['// Emitted from the tables of the gateway by npm run emit.\n', ...constants].join('');
};

/** The tables of the form kit. They have only the inputs with a limit. */
export function formTables(): Record<string, string> {
  const limits = Object.values(buildSchema().getTypeMap())
    .filter(isInputObjectType)
    // The inputs of forms and their groups, not the filters of lists.
    .filter(({ name }) => name.endsWith('Input'))
    .map((type) => {
      const fields = Object.values(type.getFields()).map(
        (field) => [field.name, limitsOf(type.name, field)] as const,
      );
      return [
        type.name,
        Object.fromEntries(fields.filter(([, found]) => Object.keys(found).length > 0)),
      ] as const;
    });
  const formats = limits.flatMap(([type, fields]) => {
    const group = type in tables ? '' : `${type.charAt(0).toLowerCase()}${type.slice(1, -'Input'.length)}.`;
    return Object.entries(fields).flatMap(([name, { format }]) =>
      format ? [[`${group}${name}`, format] as const] : [],
    );
  });
  const choices = Object.entries(labels)
    .filter(([name]) => !unlabelled.includes(name))
    .map(([name, named]) => [
      name,
      Object.entries(named).map(([choice, label]) => ({ value: enumName(choice), label })),
    ]);
  return {
    'schema/client/src/choice-table.ts': printed({ choices: Object.fromEntries(choices) }),
    'schema/client/src/limit-table.ts': printed({ limits: Object.fromEntries(limits) }),
    'schema/client/src/format-table.ts': printed({
      formats: Object.fromEntries(formats),
      moves,
      allowedTags,
    }),
  };
}
