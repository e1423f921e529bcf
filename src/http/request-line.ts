import { type FastifyRequest } from 'fastify';

/** The line of a slower request has the time of its database commands, if they were measured (Contract 11.5.2). */
export const slowMs = 250;

/** Of names that callers choose, in characters. */
const longestName = 64;

/** Of W3C Trace Context. Only versions after 00 may add parts. */
const traceParent =
  /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}(?:$|(?<!^00.*)-)/;

/** What the log says of a request besides its head. Nothing shows a subject, a variable, a token or an address (Contract 11.5.1). */
export function requestLine(
  { headers, work }: FastifyRequest,
  { caller, ms }: { caller: string | undefined; ms: number },
): object {
  const { operation, fields, code, deprecated } = work;
  return {
    operation: operation?.slice(0, longestName),
    fields: fields.size > 0 ? [...fields] : undefined,
    code,
    deprecated: deprecated.length > 0 ? deprecated : undefined,
    caller,
    client: shown(headers['apollographql-client-name']),
    clientVersion: shown(headers['apollographql-client-version']),
    ...(ms > slowMs &&
      work.commands > 0 && { databaseMs: Math.round(work.databaseMs), commands: work.commands }),
    traceId: traceParent.exec(String(headers.traceparent))?.[1],
  };
}

/** Without characters other than visible ASCII and spaces. */
const shown = (header: string | string[] | undefined): string | undefined =>
  typeof header === 'string' ? header.replace(/[^ -~]/g, '').slice(0, longestName) || undefined : undefined;
