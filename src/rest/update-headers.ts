import { type FastifyRequest } from 'fastify';

/** A version that no record has: what cannot be the current one. */
const noVersion = -1;

/** What both operations take beside their input, from the headers of a request (Contract 9.1, 9.3, 9.4). */
export interface UpdateOptions extends Record<string, unknown> {
  expectedVersion: number | null;
  idempotencyKey: string | null;
  dryRun: boolean;
}

/** Reads `If-Match`, `Idempotency-Key` and `Prefer: validate-only`. */
export function readUpdateHeaders({ headers }: Pick<FastifyRequest, 'headers'>): UpdateOptions {
  const { 'if-match': ifMatch, 'idempotency-key': idempotencyKey, prefer } = headers;
  return {
    expectedVersion: ifMatch === undefined ? null : versionOf(ifMatch),
    idempotencyKey: idempotencyKey === undefined ? null : [idempotencyKey].flat().join(', '),
    dryRun: [prefer ?? []].flat().some((preferences) => /(^|,)\s*validate-only\s*(,|;|$)/i.test(preferences)),
  };
}

/** An ETag is the version in quotes; `*` is any version; whatever is neither matches none (RFC 9110, 13.1.1). */
function versionOf(ifMatch: string): number | null {
  if (ifMatch.trim() === '*') return null;
  const version = /^\s*"(\d{1,9})"\s*$/.exec(ifMatch)?.[1];
  return version === undefined ? noVersion : Number(version);
}
