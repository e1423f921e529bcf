import { limits } from './limit-table.js';

export { limits };

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
  required?: true;
  choices?: string;
  references?: string;
  maximumLength?: number;
  maximumItems?: number;
  minimum?: number;
  maximum?: number;
  format?: 'url' | 'email' | 'date' | 'decimal' | 'html';
  types?: readonly string[];
  values?: readonly string[];
  pattern?: string;
  maximumRawLength?: number;
  maximumBytes?: number;
  maximumPixels?: number;
}

/** The limits of a field or of a part of a group, such as `salaryRange.minimum`; empty if it has none. */
export function limitOf(type: keyof typeof limits, name: string): Limit {
  const [field = '', part] = name.split('.');
  const inputs: Record<string, Record<string, Limit>> = limits;
  const group = `${field.charAt(0).toUpperCase()}${field.slice(1)}Input`;
  return (part === undefined ? inputs[type]?.[field] : inputs[group]?.[part]) ?? {};
}

const formats: Record<NonNullable<Limit['format']>, InputAttributes> = {
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
export function inputAttributes(type: keyof typeof limits, name: string): InputAttributes {
  const limit = limitOf(type, name);
  return {
    ...(limit.required && !name.includes('.') && { required: true }),
    ...(limit.format ? formats[limit.format] : limit.maximumLength !== undefined && { type: 'text' }),
    ...(limit.types && { type: 'file', accept: limit.types.join(',') }),
    ...(limit.minimum !== undefined && { min: limit.minimum }),
    ...(limit.maximum !== undefined && { max: limit.maximum }),
  };
}

/** The length as the gateway counts it: the code points of a trimmed text, or the distinct addresses or ids of a list. */
export function lengthOf(value: string | readonly string[] | null | undefined): number {
  if (typeof value === 'string') return [...value.trim()].length;
  const parts = (value ?? [])
    .flatMap((element) => element.split(';'))
    .map((part) => part.trim().toLowerCase());
  return new Set(parts.filter(Boolean)).size;
}
