import { randomUUID } from 'node:crypto';

/** The request's own `X-Request-Id` where it is sane, otherwise a new one (Contract 7.7). */
export function requestIdOf(header: string | string[] | undefined): string {
  return typeof header === 'string' && /^[\w.:-]{1,128}$/.test(header) ? header : randomUUID();
}
