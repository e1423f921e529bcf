import { isRecord } from './is-record.js';

/** The headers of a reply, from any implementation of `fetch`. */
export interface ReplyHeaders {
  get: (name: string) => string | null;
}

/** Finds headers by their shape: every implementation of `fetch` has its own classes. */
export const headersOf = (response: unknown): ReplyHeaders | undefined =>
  isRecord(response) && isHeaders(response.headers) ? response.headers : undefined;

const isHeaders = (value: unknown): value is ReplyHeaders =>
  isRecord(value) && typeof value.get === 'function';

/** Every HTTP date begins like this (RFC 9110, 5.6.7). `Date.parse` also accepts many texts that are not dates. */
const dateStart = /^(Sun|Mon|Tue|Wed|Thu|Fri|Sat)/;

/** The wait in whole seconds, from seconds or a date in `Retry-After`; null if the header has neither. */
export function retryAfterSecondsOf(headers: ReplyHeaders | undefined): number | null {
  const told = headers?.get('retry-after') ?? '';
  if (/^\d+$/.test(told)) return Number(told);
  // The oldest format of HTTP dates does not say that it is in GMT.
  const atMs = dateStart.test(told) ? Date.parse(told.endsWith('GMT') ? told : `${told} GMT`) : NaN;
  return Number.isNaN(atMs) ? null : Math.max(0, Math.ceil((atMs - Date.now()) / 1_000));
}
