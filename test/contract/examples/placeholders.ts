/** Placeholders for values that differ at each call. */
const patterns: Record<string, string> = {
  'request id': '[\\w.:-]{1,128}',
  instant: '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z',
  seconds: '\\d+',
  hash: '[0-9a-f]{64}',
  cursor: '[\\w-]+',
  digest: '[\\w-]{16}',
  // The OpenAPI document shows the second.
  gateway: '(?:http://127\\.0\\.0\\.1:\\d+|https://gateway\\.example)',
};

/** The written answer with actual values for its placeholders. */
export function filledIn(written: unknown, actual: unknown): unknown {
  if (typeof written === 'string') return patternOf(written).test(String(actual)) ? actual : written;
  if (Array.isArray(written))
    return written.map((each, index) => filledIn(each, Array.isArray(actual) ? actual[index] : undefined));
  if (!isRecord(written)) return written;
  const other = isRecord(actual) ? actual : {};
  return Object.fromEntries(
    Object.entries(written).map(([key, value]) => [key, filledIn(value, other[key])]),
  );
}

const byKey: Record<string, string> = {
  'x-request-id': '<request id>',
  requestId: '<request id>',
  'ratelimit-reset': '<seconds>',
  resetSeconds: '<seconds>',
};

/** Puts placeholders into a value that the written answer lacks. */
const shownFirst = (value: unknown): unknown =>
  typeof value === 'string'
    ? value
        .replace(new RegExp(patterns.gateway!), '<gateway>')
        .replace(new RegExp(`^${patterns.instant}$`), '<instant>')
        .replace(new RegExp(`\\b${patterns.hash}\\b`), '<hash>')
    : value;

/** The actual answer, with each placeholder that still matches, and placeholders in new values. */
export function withPlaceholders(written: unknown, actual: unknown): unknown {
  if (Array.isArray(actual)) {
    const others = Array.isArray(written) ? (written as unknown[]) : [];
    return actual.map((each, index) => withPlaceholders(others[index], each));
  }
  if (written === undefined && !isRecord(actual)) return shownFirst(actual);
  if (!isRecord(actual))
    return typeof written === 'string' && patternOf(written).test(String(actual)) ? written : actual;
  const others = isRecord(written) ? written : {};
  return Object.fromEntries(
    Object.entries(actual).map(([key, value]) => [key, withPlaceholders(others[key] ?? byKey[key], value)]),
  );
}

const patternOf = (text: string): RegExp =>
  new RegExp(
    `^${text
      .split(/<([^<>]+)>/)
      .map(
        (part, index) => (index % 2 === 1 && patterns[part]) || escaped(index % 2 === 1 ? `<${part}>` : part),
      )
      .join('')}$`,
  );

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
