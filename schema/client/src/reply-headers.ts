import { isRecord } from './is-record.js';

/** The headers of a reply, from any implementation of `fetch`. */
export interface ReplyHeaders {
  get: (name: string) => string | null;
}

/** Finds the headers of a reply by their shape, because every implementation of `fetch` has its own classes. */
export const headersOf = (response: unknown): ReplyHeaders | undefined =>
  isRecord(response) && isHeaders(response.headers) ? response.headers : undefined;

const isHeaders = (value: unknown): value is ReplyHeaders =>
  isRecord(value) && typeof value.get === 'function';

/** Every HTTP date begins like this (RFC 9110, 5.6.7). `Date.parse` also accepts many texts that are not dates. */
const dateStart = /^(Sun|Mon|Tue|Wed|Thu|Fri|Sat)/;

/** The wait in `Retry-After` in whole seconds, whether the header has seconds or a date; null if it has neither. */
export function retryAfterSecondsOf(headers: ReplyHeaders | undefined): number | null {
  const told = headers?.get('retry-after') ?? '';
  if (/^\d+$/.test(told)) return Number(told);
  // All HTTP dates are in GMT, but the oldest format does not say so.
  const atMs = dateStart.test(told) ? Date.parse(told.endsWith('GMT') ? told : `${told} GMT`) : NaN;
  return Number.isNaN(atMs) ? null : Math.max(0, Math.ceil((atMs - Date.now()) / 1_000));
}
