import { formats } from './format-table.js';

const formatOf = (name: string) => (formats as Readonly<Record<string, string>>)[name];

/** A value of an edit as an HTML input shows it: a text, the ids of a list, or a file. */
export function shownValue(name: string, value: unknown): string | readonly string[] | Blob {
  if (value instanceof Blob) return value;
  if (Array.isArray(value)) return formatOf(name) === 'email' ? value.join('; ') : value.map(String);
  if (value === null || value === undefined) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  // An input of the type date takes no time.
  return formatOf(name) === 'date' ? text.slice(0, 10) : text;
}

/** The value of an edit for what an HTML input shows. */
export function givenValue(name: string, shown: unknown): unknown {
  if (typeof shown !== 'string') return shown;
  const format = formatOf(name);
  // The gateway splits a text at each semicolon.
  if (format === 'email') return shown === '' ? null : [shown];
  return format === 'decimal' ? amountOf(shown) : shown;
}

/** Only what has one reading: `40 000`, `1,5` and `1 500,50`, but neither `1,500` nor `1.500`. The gateway refuses any other amount. */
const amountOf = (text: string): string =>
  /^(\d+|\d{1,3}(\s\d{3})+)([.,]\d{1,2})?$/.test(text.trim())
    ? text.replace(/\s/g, '').replace(',', '.')
    : text;
