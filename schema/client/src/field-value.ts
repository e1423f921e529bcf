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
export const givenValue = (name: string, shown: unknown): unknown =>
  // The gateway splits a text at each semicolon.
  formatOf(name) === 'email' && typeof shown === 'string' ? (shown === '' ? null : [shown]) : shown;
