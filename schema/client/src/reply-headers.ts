import { isRecord } from './is-record.js';

/** The headers of a reply, of whatever implementation of `fetch`. */
export interface ReplyHeaders {
  get: (name: string) => string | null;
}

/** The headers of a reply, known by their shape: every implementation of `fetch` has classes of its own. */
export const headersOf = (response: unknown): ReplyHeaders | undefined =>
  isRecord(response) && isHeaders(response.headers) ? response.headers : undefined;

const isHeaders = (value: unknown): value is ReplyHeaders =>
  isRecord(value) && typeof value.get === 'function';

/** Whole seconds after which the reply says that a new try makes sense; null where it says nothing. */
export function retryAfterSecondsOf(headers: ReplyHeaders | undefined): number | null {
  const told = headers?.get('retry-after');
  return told != null && /^\d+$/.test(told) ? Number(told) : null;
}
