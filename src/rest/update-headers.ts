import { type FastifyRequest } from 'fastify';
import { fieldFault, type FieldFault, onArgument } from '../errors/field-fault.js';

/** A version that no record has: what cannot be the current one. */
const noVersion = -1;

/** What both operations take beside their input, from the headers of a request (Contract 9.1, 9.3, 9.4). */
export interface UpdateOptions extends Record<string, unknown> {
  expectedVersion: number | null;
  idempotencyKey: string | null;
  dryRun: boolean;
}

/** Reads `If-Match`, `Idempotency-Key` and `Prefer: validate-only`; and what is wrong with them, which is for the field checks. */
export function readUpdateHeaders({ headers }: Pick<FastifyRequest, 'headers'>): {
  options: UpdateOptions;
  faults: FieldFault[];
} {
  const { 'if-match': ifMatch, 'idempotency-key': idempotencyKey, prefer } = headers;
  const versions = ifMatch === undefined ? null : versionsOf(ifMatch);
  const areSeveral = versions !== null && versions.length > 1;
  return {
    options: {
      expectedVersion: versions === null || areSeveral ? null : (versions[0] ?? noVersion),
      idempotencyKey: idempotencyKey === undefined ? null : [idempotencyKey].flat().join(', '),
      dryRun: [prefer ?? []]
        .flat()
        .some((preferences) => /(^|,)\s*validate-only\s*(,|;|$)/i.test(preferences)),
    },
    // An operation expects one version; a fault keeps several from being taken for none at all.
    faults: areSeveral ? [severalVersions] : [],
  };
}

const severalVersions = onArgument(
  fieldFault.format('ifMatch', {
    en: 'one ETag that a reply had, or *',
    fr: 'un seul ETag, celui d’une réponse, ou *',
  }),
);

/**
 * The versions that a condition names, null where it names any (RFC 9110, 13.1.1): a strong ETag is the version in quotes,
 * other tags are no version's, weak ones among them; and a condition that cannot be read names none.
 */
function versionsOf(ifMatch: string): number[] | null {
  if (ifMatch.trim() === '*') return null;
  // A tag may have commas within its quotes.
  const tags = (ifMatch.match(/("[^"]*"|[^,])+/g) ?? []).map((tag) => tag.trim()).filter(Boolean);
  if (!tags.every((tag) => /^(W\/)?"[^"\s]*"$/.test(tag))) return [];
  const versions = tags.flatMap((tag) => /^"(\d{1,9})"$/.exec(tag)?.[1] ?? []).map(Number);
  return [...new Set(versions)];
}
