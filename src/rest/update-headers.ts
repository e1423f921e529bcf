import { type FastifyRequest } from 'fastify';
import leven from 'leven';
import { excerpt } from '../errors/excerpt.js';
import { fieldFault, type FieldFault, onArgument } from '../errors/field-fault.js';
import { unreadable } from '../errors/domain-error.js';

/** No record has this version, so an update that expects it fails. */
const noVersion = -1;

/** Arguments from headers (Contract 9.1, 9.3, 9.4). */
interface UpdateOptions extends Record<string, unknown> {
  expectedVersion: number | null;
  idempotencyKey: string | null;
  dryRun: boolean;
}

/** @throws DomainError body-format-error for a misspelt `validate-only` */
export function readUpdateHeaders({ headers }: Pick<FastifyRequest, 'headers'>): {
  options: UpdateOptions;
  faults: FieldFault[];
} {
  const {
    'if-match': ifMatch,
    'if-none-match': ifNoneMatch,
    'idempotency-key': idempotencyKey,
    prefer,
  } = headers;
  const expected = ifMatch === undefined ? null : expectedVersion(ifMatch);
  // Reject a condition that cannot be checked: ignoring it could write what the caller wanted to prevent.
  const faults = expected === undefined ? [unclearCondition] : [];
  if (ifNoneMatch !== undefined) faults.push(oppositeCondition);
  return {
    options: {
      expectedVersion: expected ?? null,
      idempotencyKey: idempotencyKey === undefined ? null : [idempotencyKey].flat().join(', '),
      dryRun: isDryRun(prefer),
    },
    faults,
  };
}

const validateOnly = 'validate-only';

/** A preference within this many edits of `validate-only` is a misspelling. */
const mostDifferent = 2;

/**
 * Ignores unknown preferences (RFC 7240, 2), but rejects a misspelt `validate-only`: ignoring it would write what the caller only
 * wanted to check (Contract 9.4.1).
 */
function isDryRun(prefer: string | string[] | undefined): boolean {
  const names = [prefer ?? []]
    .flat()
    .flatMap((preferences) => preferences.replace(quotedValue, '').split(','))
    .map((preference) => preference.split(';')[0]?.trim().toLowerCase() ?? '');
  const misspelled = names.find(
    (name) => name !== validateOnly && isNearly(name.split('=')[0]?.trim() ?? ''),
  );
  if (misspelled !== undefined)
    throw unreadable(
      `Prefer must be ${validateOnly}, not ${excerpt(misspelled)}`,
      `Prefer doit être ${validateOnly} et non ${excerpt(misspelled)}`,
    );
  return names.includes(validateOnly);
}

/** Commas between quotes do not separate preferences. An unclosed quote is an ordinary character. */
const quotedValue = /= *"(?:[^"\\]|\\.)*"/g;

const isNearly = (name: string): boolean =>
  Math.abs(name.length - validateOnly.length) <= mostDifferent &&
  leven(name.replaceAll('_', '-'), validateOnly) <= mostDifferent;

const unclearCondition = onArgument(
  fieldFault.format('ifMatch', {
    en: 'one ETag from a reply, with its quotes, or *',
    fr: 'un seul ETag d’une réponse, avec ses guillemets, ou *',
  }),
);

const oppositeCondition = onArgument(
  fieldFault.format('ifNoneMatch', {
    en: 'absent, because an update never creates a record: send the expected version in If-Match',
    fr: 'absent, car une mise à jour ne crée rien : envoyez la version attendue dans If-Match',
  }),
);

/**
 * The version in `If-Match` (RFC 9110, 13.1.1): null for `*`, undefined for several versions or an unreadable header. A strong ETag
 * is the version in quotes, with or without the digest of a read. Any other tag, such as a weak one, matches no record.
 */
function expectedVersion(ifMatch: string): number | null | undefined {
  if (ifMatch.trim() === '*') return null;
  // A tag can have commas inside its quotes.
  const tags = (ifMatch.match(/("[^"]*"|[^,])+/g) ?? []).map((tag) => tag.trim()).filter(Boolean);
  if (tags.length === 0 || !tags.every((tag) => /^(W\/)?"[^"\s]*"$/.test(tag))) return undefined;
  const versions = new Set(
    tags.flatMap((tag) => /^"([1-9]\d{0,8})(?:-[\w-]{16})?"$/.exec(tag)?.[1] ?? []).map(Number),
  );
  return versions.size > 1 ? undefined : ([...versions][0] ?? noVersion);
}
