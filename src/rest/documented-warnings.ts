import { type GraphQLInputObjectType } from 'graphql';
import { warningMessages } from '../content/warning.js';
import { type Language } from '../errors/catalogue.js';
import { inputName } from '../errors/input-name.js';

interface PayloadWarning {
  code: string;
  field: string;
  message: string;
}

/** Warnings in the words of the documented fields, those of unknown fields included; no key without any. */
export function documentedWarnings(
  warnings: readonly PayloadWarning[] | null,
  unknownFields: readonly string[],
  { type, language }: { type: GraphQLInputObjectType; language: Language },
): { warnings?: PayloadWarning[] } {
  const all = [
    ...(warnings ?? []).map((warning) => ({ ...warning, field: documentedName(warning.field, type) })),
    ...unknownFields.map((field) => ({
      code: 'unknown-field',
      field,
      message: warningMessages['unknown-field'][language],
    })),
  ];
  return all.length > 0 ? { warnings: all } : {};
}

/** The inverse of inputName, for the fields of the input. */
function documentedName(name: string, type: GraphQLInputObjectType): string {
  const documented = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return inputName(documented) in type.getFields() ? documented : name;
}
