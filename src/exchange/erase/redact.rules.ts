/** Replaces an address in texts. */
export const erased = '[erased]';

/** Takes an address out of values. A longer address that only contains this one stays. */
export interface Redaction {
  /** Whether the text may hold the address, in upper or lower case. */
  mayBeIn(this: void, text: string): boolean;
  /** The value without the address; if it does not hold the address, the very same value. */
  redact<T>(this: void, value: T): T;
}

const isPlain = (value: object): boolean =>
  Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;

export function redactionOf(address: string): Redaction {
  const needle = address.toLowerCase();
  const literal = address.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  // A percent-encoded character right before the address, such as %3A, is not part of it.
  const before = '(?:(?<![\\p{L}\\p{N}._%+-])|(?<=%[\\da-f]{2}))';
  const pattern = new RegExp(`${before}${literal}(?![\\p{L}\\p{N}-]|\\.[\\p{L}\\p{N}])`, 'giu');
  const redact = <T>(value: T): T => {
    if (typeof value === 'string') return value.replace(pattern, erased) as T;
    if (typeof value !== 'object' || value === null || !isPlain(value)) return value;
    const entries = Object.entries(value).map(([key, held]) => [key, held, redact(held as unknown)] as const);
    if (entries.every(([, held, after]) => held === after)) return value;
    return (
      Array.isArray(value)
        ? entries.map(([, , after]) => after)
        : Object.fromEntries(entries.map(([key, , after]) => [key, after]))
    ) as T;
  };
  return { mayBeIn: (text) => text.toLowerCase().includes(needle), redact };
}
