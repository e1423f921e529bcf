import { tooLarge } from '../../errors/domain-error.js';
import { type DomainError } from '../../errors/domain-error.js';

const mostBytes = 2 ** 23;

/** The size of a text in JSON. */
type TextBytes = (text: string) => number;

/** JSON writes a UTF-16 unit with at most six bytes, as in `\u001f`. */
const mostTextBytes: TextBytes = (text) => 2 + 6 * text.length;
const textBytes: TextBytes = (text) => Buffer.byteLength(JSON.stringify(text));

/**
 * The refusal of a reply of more than 8 MiB, which aliases can make of a few records. Looks at the data before it becomes JSON, and only
 * as far as 8 MiB. Measures texts only if they could be too long.
 */
export const replyTooLarge = (data: unknown): DomainError | undefined =>
  bytesLeft(data, mostBytes, mostTextBytes) < 0 && bytesLeft(data, mostBytes, textBytes) < 0
    ? tooLarge(mostBytes, { en: 'the reply', fr: 'la réponse' })
    : undefined;

/** @returns what a value in JSON leaves of some bytes; anything below 0 if it is larger */
function bytesLeft(value: unknown, left: number, ofText: TextBytes): number {
  if (typeof value === 'string') return left - ofText(value);
  if (value instanceof Date) return left - 26;
  // More than any other scalar has, but for numbers that no field holds.
  if (typeof value !== 'object' || value === null) return left - 5;
  let rest = left - 2;
  if (Array.isArray(value)) {
    for (const each of value) if ((rest = bytesLeft(each, rest - 1, ofText)) < 0) return rest;
    return rest;
  }
  for (const name in value) {
    // Two quotes, a colon and a comma.
    rest = bytesLeft((value as Record<string, unknown>)[name], rest - name.length - 4, ofText);
    if (rest < 0) return rest;
  }
  return rest;
}
