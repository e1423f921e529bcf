import { canonicalHtml } from './canonical-html.js';
import { formats } from './format-table.js';

/** Whether the gateway stores the same for both values of a field. An e-mail address in other letters is the same address. */
export const isSame = (field: string, one: unknown, other: unknown): boolean =>
  one === other || JSON.stringify(comparable(one, field)) === JSON.stringify(comparable(other, field));

let files = 0;
const fileIds = new WeakMap<Blob, number>();

function comparable(value: unknown, name: string): unknown {
  const format = (formats as Readonly<Record<string, string>>)[name];
  if (typeof value === 'string') {
    const text = value.replace(/\r\n?/g, '\n').trim();
    if (format === 'html') return canonicalHtml(text) || null;
    if (format === 'date') return instantOf(text);
    if (format === 'decimal' && /^\d+(\.\d+)?$/.test(text)) return Number(text);
    return text || null;
  }
  if (Array.isArray(value)) {
    const parts = value.flatMap((element) => String(element).split(';')).map((part) => part.trim());
    const spelled = format === 'email' ? parts.map((part) => part.toLowerCase()) : parts;
    return spelled.some(Boolean) ? [...new Set(spelled.filter(Boolean))] : null;
  }
  if (value instanceof Blob) {
    const id = fileIds.get(value) ?? (files += 1);
    fileIds.set(value, id);
    return { file: id };
  }
  if (typeof value !== 'object' || value === null) return value ?? null;
  const parts = Object.entries(value).flatMap(([part, given]) => {
    const shown = comparable(given, `${name}.${part}`);
    return shown === null ? [] : [[part, shown] as const];
  });
  return parts.length > 0 ? parts.sort(([one], [other]) => (one < other ? -1 : 1)) : null;
}

/** The gateway stores a date as the end of that day in UTC. */
function instantOf(text: string): string | null {
  const instant = /T.*(?:Z|[+-]\d\d:\d\d)$/i.test(text) ? new Date(text.toUpperCase()) : new Date(NaN);
  if (!Number.isNaN(instant.getTime())) return instant.toISOString();
  return /^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T23:59:59.999Z` : text || null;
}
