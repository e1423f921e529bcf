import { CombinedGraphQLErrors, ServerError } from '@apollo/client';
import { type GatewayError, readGatewayError } from '../../schema/client/src/gateway-error.js';

/** What the gateway refused, and when a new try makes sense. */
export interface Refusal {
  errors: readonly [GatewayError, ...GatewayError[]];
  /** Whole seconds to wait, where the reply says so. */
  retryAfterSeconds: number | null;
}

/**
 * Reads a failure of Apollo Client: the errors of an operation, or of a request that the gateway refused before there was
 * one, whose body only the failure has. Null for what is no answer of the gateway.
 */
export function readRefusal(failure: unknown): Refusal | null {
  if (CombinedGraphQLErrors.is(failure)) {
    const { rateLimit } = failure.extensions ?? {};
    return refusal(failure.errors, secondsOf(rateLimit));
  }
  if (ServerError.is(failure)) {
    const body = parsed(failure.bodyText);
    const retryAfter = failure.response.headers.get('retry-after');
    return refusal(entriesOf(body), retryAfter === null ? null : Number(retryAfter));
  }
  return null;
}

function refusal(entries: readonly unknown[], retryAfterSeconds: number | null): Refusal | null {
  const [first, ...others] = entries.map(readGatewayError).filter((error) => error !== null);
  return first ? { errors: [first, ...others], retryAfterSeconds } : null;
}

function secondsOf(rateLimit: unknown): number | null {
  if (typeof rateLimit !== 'object' || rateLimit === null || !('resetSeconds' in rateLimit)) return null;
  return typeof rateLimit.resetSeconds === 'number' ? rateLimit.resetSeconds : null;
}

function entriesOf(body: unknown): readonly unknown[] {
  if (typeof body !== 'object' || body === null || !('errors' in body)) return [];
  return Array.isArray(body.errors) ? body.errors : [];
}

function parsed(text: string): unknown {
  try {
    const body: unknown = JSON.parse(text);
    return body;
  } catch {
    return null;
  }
}
