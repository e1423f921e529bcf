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

/** How the forms of a date of HTTP begin (RFC 9110, 5.6.7). `Date.parse` reads dates into much that is none. */
const dateStart = /^(Sun|Mon|Tue|Wed|Thu|Fri|Sat)/;

/** Whole seconds after which the reply says, in seconds or by a date, that a new try makes sense; null where it says nothing. */
export function retryAfterSecondsOf(headers: ReplyHeaders | undefined): number | null {
  const told = headers?.get('retry-after') ?? '';
  if (/^\d+$/.test(told)) return Number(told);
  // The oldest form leaves out the zone that all of them have.
  const atMs = dateStart.test(told) ? Date.parse(told.endsWith('GMT') ? told : `${told} GMT`) : NaN;
  return Number.isNaN(atMs) ? null : Math.max(0, Math.ceil((atMs - Date.now()) / 1_000));
}
