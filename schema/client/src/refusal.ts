import { type GatewayError, readGatewayError } from './gateway-error.js';
import { isRecord } from './is-record.js';
import { headersOf, type ReplyHeaders, retryAfterSecondsOf } from './reply-headers.js';

/** What the gateway refused: its first error, which for most documents is the only one. */
export interface Refusal extends GatewayError {
  /** Whole seconds after which a new try makes sense, where the reply says so. */
  retryAfterSeconds: number | null;
  /** Every error of the reply; more than one only where a document asks for several fields. */
  errors: readonly [GatewayError, ...GatewayError[]];
}

/**
 * Reads what the gateway refused, from whatever failed with Apollo Client 3 or 4, urql (`CombinedError`) or
 * graphql-request (`ClientError`), or from the parsed body and the headers of a reply to `fetch`. Null for what is no
 * refusal of the gateway: data, a connection that broke, the page of a proxy.
 */
export function readRefusal(failure: unknown, headers?: ReplyHeaders): Refusal | null {
  if (!isRecord(failure)) return null;
  const entries = isFilled(failure.graphQLErrors) ? failure.graphQLErrors : failure.errors;
  if (!Array.isArray(entries)) return readRefusal(bodyOf(failure), headersOf(failure.response) ?? headers);
  const [first, ...others] = entries.map(readGatewayError).filter((error) => error !== null);
  if (!first) return null;
  const retryAfterSeconds =
    retryAfterSecondsOf(headersOf(failure.response) ?? headers) ?? toldSeconds(first, failure.extensions);
  return { ...first, retryAfterSeconds, errors: [first, ...others] };
}

/** Where clients keep the body of a reply that they fail with. */
const bodyOf = ({ bodyText, networkError, result, response }: Record<string, unknown>): unknown =>
  typeof bodyText === 'string' ? parsed(bodyText) : (networkError ?? result ?? response);

const isFilled = (value: unknown): value is unknown[] => Array.isArray(value) && value.length > 0;

/** What the body says, or what the link has put into it, for Apollo Client keeps no headers of a reply that it can read. */
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
