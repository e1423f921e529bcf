import { type FastifyRequest } from 'fastify';
import { type NameCaller } from '../access/caller-name.js';

/** Of names that callers choose, in characters. */
const longestName = 64;

/** Of W3C Trace Context. Only versions after 00 may add parts. */
const traceParent =
  /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}(?:$|(?<!^00.*)-)/;

/** What the log says of a request besides its head. Nothing shows a subject, a variable, a token or an address (Contract 11.5.1). */
export function requestLine({ caller, headers, work }: FastifyRequest, nameCaller: NameCaller): object {
  const { operation, fields, code } = work;
  return {
    operation: operation?.slice(0, longestName),
    fields: fields.size > 0 ? [...fields] : undefined,
    code,
    caller: caller ? nameCaller(caller) : undefined,
    client: shown(headers['apollographql-client-name']),
    clientVersion: shown(headers['apollographql-client-version']),
    traceId: traceParent.exec(String(headers.traceparent))?.[1],
  };
}

/** Without characters other than visible ASCII and spaces. */
const shown = (header: string | string[] | undefined): string | undefined =>
  typeof header === 'string' ? header.replace(/[^ -~]/g, '').slice(0, longestName) || undefined : undefined;
