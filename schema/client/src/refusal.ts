import { type GatewayError, readGatewayError } from './gateway-error.js';
import { isRecord } from './is-record.js';
import { headersOf, type ReplyHeaders, retryAfterSecondsOf } from './reply-headers.js';

/** A refusal by the gateway: the first error of the reply, with the faulty fields of all its errors. */
export interface Refusal extends GatewayError {
  /** Whole seconds to wait before a retry; null if the reply does not say. */
  retryAfterSeconds: number | null;
  /** Every error of the reply: one for each faulty part of a variable, or for each field that a document asks for in vain. */
  errors: readonly [GatewayError, ...GatewayError[]];
}

/**
 * Reads a refusal from an error of Apollo Client 3 or 4, urql (`CombinedError`) or graphql-request (`ClientError`), or from the parsed
 * body and the headers of a `fetch` reply. Null for anything else: data, a broken connection, the error page of a proxy.
 */
export function readRefusal(failure: unknown, headers?: ReplyHeaders): Refusal | null {
  if (!isRecord(failure)) return null;
  const entries = isFilled(failure.graphQLErrors) ? failure.graphQLErrors : failure.errors;
  if (!Array.isArray(entries)) return readRefusal(bodyOf(failure), headersOf(failure.response) ?? headers);
  const [first, ...others] = entries.map(readGatewayError).filter((error) => error !== null);
  if (!first) return null;
  const retryAfterSeconds =
    retryAfterSecondsOf(headersOf(failure.response) ?? headers) ?? toldSeconds(first, failure.extensions);
  const errors = [first, ...others] as const;
  return { ...first, fields: errors.flatMap(({ fields }) => fields), retryAfterSeconds, errors };
}

const bodyOf = ({ bodyText, networkError, result, response }: Record<string, unknown>): unknown =>
  typeof bodyText === 'string' ? parsed(bodyText) : (networkError ?? result ?? response);

const isFilled = (value: unknown): value is unknown[] => Array.isArray(value) && value.length > 0;

/** `gatewayLink` adds `retryAfterSeconds` because Apollo Client drops the headers of every reply whose body it can read. */
function toldSeconds({ error }: GatewayError, extensions: unknown): number | null {
  if (!isRecord(extensions)) return null;
  const { retryAfterSeconds, rateLimit } = extensions;
  if (typeof retryAfterSeconds === 'number') return retryAfterSeconds;
  if (error !== 'rate-limit-exceeded' || !isRecord(rateLimit)) return null;
  return typeof rateLimit.resetSeconds === 'number' ? rateLimit.resetSeconds : null;
}

function parsed(text: string): unknown {
  try {
    const body: unknown = JSON.parse(text);
    return body;
  } catch {
    return null;
  }
}
