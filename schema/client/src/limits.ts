import { type choices } from './choice-table.js';
import { type CreateJobInput, type UpdateCompanyInput, type UpdateJobInput } from './documents/graphql.js';
import { limits } from './limit-table.js';

export { limits };

type Limits = typeof limits;

/** The inputs of forms. */
export interface FormInputs {
  CreateJobInput: CreateJobInput;
  UpdateJobInput: UpdateJobInput;
  UpdateCompanyInput: UpdateCompanyInput;
}

type GroupOf<Name> = `${Capitalize<Name & string>}Input` & keyof Limits;

/** The names of a form's inputs: fields such as `salary`, and parts of groups such as `salaryRange.minimum`. */
export type InputName<Type extends keyof FormInputs> = {
  [Name in keyof FormInputs[Type] & string]: [GroupOf<Name>] extends [never]
    ? Name
    : Name | `${Name}.${keyof Limits[GroupOf<Name>] & string}`;
}[keyof FormInputs[Type] & string];

/** The fields of an input, with the parts of groups. */
export type FieldNameOf<Type extends keyof Limits> = Type extends keyof FormInputs
  ? InputName<Type>
  : keyof Limits[Type] & string;

type Entry<Type extends keyof Limits, Name> = Name extends keyof Limits[Type]
  ? Limits[Type][Name]
  : Name extends `${infer Group}.${infer Part}`
    ? Part extends keyof Limits[GroupOf<Group>]
      ? Limits[GroupOf<Group>][Part]
      : unknown
    : unknown;

/** Attributes of an HTML input. */
export interface InputAttributes {
  required?: true;
  type?: 'text' | 'url' | 'date' | 'number' | 'file';
  inputMode?: 'url' | 'email' | 'decimal';
  accept?: string;
  min?: number;
  max?: number;
  step?: number;
}

/** The bounds that the gateway checks. `maximumBytes` of a logo is the default, which an operator can change. */
export interface Limit {
  readonly required?: true;
  /** The enum of the value; with `values`, only these of its values. */
  readonly choices?: keyof typeof choices;
  readonly references?: string;
  readonly maximumLength?: number;
  readonly maximumItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly format?: 'url' | 'email' | 'date' | 'decimal' | 'html';
  readonly types?: readonly string[];
  readonly values?: readonly string[];
  readonly pattern?: string;
  readonly maximumRawLength?: number;
  readonly maximumBytes?: number;
  readonly maximumPixels?: number;
}

/** The limits of a field or of a part of a group, such as `salaryRange.minimum`; empty if it has none. */
export function limitOf<Type extends keyof Limits, Name extends FieldNameOf<Type>>(
  type: Type,
  name: Name,
): Limit & Entry<Type, Name> {
  const [field = '', part] = name.split('.');
  const inputs: Record<string, Record<string, Limit>> = limits;
  const group = `${field.charAt(0).toUpperCase()}${field.slice(1)}Input`;
  return ((part === undefined ? inputs[type]?.[field] : inputs[group]?.[part]) ?? {}) as Limit &
    Entry<Type, Name>;
}

const attributes: Record<NonNullable<Limit['format']>, InputAttributes> = {
  url: { type: 'url', inputMode: 'url' },
  // An input of the type email wants commas between addresses, where the gateway has semicolons.
  email: { type: 'text', inputMode: 'email' },
  date: { type: 'date' },
  decimal: { type: 'number', inputMode: 'decimal', step: 0.01 },
  html: {},
};

/**
 * The attributes of the input of a field, such as `inputAttributes('UpdateJobInput', 'salaryRange.minimum')`. None of them is `maxlength`,
 * which counts UTF-16 units: show a counter with {@link lengthOf}. A part of a group is not required, because the group is optional.
 */
export function inputAttributes<Type extends keyof Limits>(
  type: Type,
  name: FieldNameOf<Type>,
): InputAttributes {
  const limit: Limit = limitOf(type, name);
  return {
    ...(limit.required && !name.includes('.') && { required: true }),
    ...(limit.format ? attributes[limit.format] : limit.maximumLength !== undefined && { type: 'text' }),
    ...(limit.types && { type: 'file', accept: limit.types.join(',') }),
    ...(limit.minimum !== undefined && { min: limit.minimum }),
    ...(limit.maximum !== undefined && { max: limit.maximum }),
  };
}

/**
 * The length as the gateway counts it: the code points of a trimmed text, or the distinct addresses or ids of a list. For addresses that an
 * input has as one text, `lengthOf([text])`.
 */
export function lengthOf(value: string | readonly string[] | null | undefined): number {
  if (typeof value === 'string') return [...value.trim()].length;
  const parts = (value ?? [])
    .flatMap((element) => element.split(';'))
    .map((part) => part.trim().toLowerCase());
  return new Set(parts.filter(Boolean)).size;
}
