import { type GraphQLInputObjectType } from 'graphql';
import { warningMessages } from '../content/warning.js';
import { type Language } from '../errors/catalogue.js';
import { documentedName } from '../errors/documented-name.js';
import { excerpt } from '../errors/excerpt.js';

interface PayloadWarning {
  code: string;
  field: string;
  message: string;
}

/** How many unknown fields get a warning. A caller who sends more has not just misspelt a name. */
const mostUnknownFields = 20;

/** Warnings by documented field names, with one for each of the first unknown fields. Without any there is no key. */
export function documentedWarnings(
  warnings: readonly PayloadWarning[] | null,
  unknownFields: readonly string[],
  { type, language }: { type: GraphQLInputObjectType; language: Language },
): { warnings?: PayloadWarning[] } {
  const all = [
    ...(warnings ?? []).map((warning) => ({ ...warning, field: fieldName(warning.field, type) })),
    ...unknownFields.slice(0, mostUnknownFields).map((field) => ({
      code: 'unknown-field',
      field: excerpt(field),
      message: warningMessages['unknown-field'][language],
    })),
  ];
  return all.length > 0 ? { warnings: all } : {};
}

const fieldName = (name: string, type: GraphQLInputObjectType): string =>
  name in type.getFields() ? documentedName(name) : name;
