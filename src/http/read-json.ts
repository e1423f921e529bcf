import { DomainError } from '../errors/domain-error.js';

/** More fields, or values in JSON, than any documented request has; what is past it is noise or an attack. */
export const mostFields = 1_000;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The text of a body. @throws DomainError body-format-error when it is not UTF-8 */
export function decodeUtf8(body: Buffer): string {
  try {
    return utf8.decode(body);
  } catch (cause) {
    throw new DomainError('body-format-error', { cause });
  }
}

/** @throws DomainError content-type-not-supported when a body says that it is not UTF-8 (Contract 4.3.1) */
export function assertUtf8(contentType = ''): void {
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(contentType)?.[1];
  if (charset && !/^(utf-?8|us-ascii)$/i.test(charset)) throw new DomainError('content-type-not-supported');
}

/**
 * The value of a JSON text (Contract 4.3.5).
 * @throws DomainError body-format-error when it does not parse or holds more than a thousand values
 */
export function parseJson(text: string): unknown {
  if (holdsTooMuch(text)) throw new DomainError('body-format-error');
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new DomainError('body-format-error', { cause });
  }
}

/**
 * Whether a JSON text holds more values than `mostFields`. It is told before the text is parsed: a body of small values
 * takes twenty times as long to parse as one long text, and everything that reads the values multiplies that.
 */
export function holdsTooMuch(json: string): boolean {
  let values = 0;
  for (let at = 0; at < json.length; at += 1) {
    const character = json[at];
    if (character === '"') at = endOfText(json, at);
    else if (character === ',' || character === '[' || character === '{')
      if ((values += 1) > mostFields) return true;
  }
  return false;
}

/** Where the quotation mark stands that ends a text, or the end of all where there is none. */
function endOfText(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end !== -1; end = json.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (json[end - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
  return json.length;
}
