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

/** @throws DomainError body-format-error for a misspelt or misplaced `validate-only` */
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

/** In letters. */
const mostDifferent = 2;

/**
 * Ignores unknown preferences (RFC 7240, 2), but rejects a `Prefer` that mentions `validate-only`, or nearly, without being read as that
 * preference: ignoring it would write what the caller only wanted to check (Contract 9.4.1).
 */
function isDryRun(given: string | string[] | undefined): boolean {
  const prefer = [given ?? []].flat().join(',');
  const names = prefer
    .replace(quotedValue, '')
    .split(',')
    .map((preference) => preference.split(';')[0]?.trim().toLowerCase());
  if (names.includes(validateOnly)) return true;
  if (isMentioned(prefer.toLowerCase()))
    throw unreadable(
      `Prefer must be ${validateOnly}, not ${excerpt(prefer)}; separate preferences with commas`,
      `Prefer doit être ${validateOnly} et non ${excerpt(prefer)} ; séparez les préférences par des virgules`,
    );
  return false;
}

/** Commas between quotes do not separate preferences. An unclosed quote is an ordinary character. */
const quotedValue = /= *"(?:[^"\\]|\\.)*"/g;

/** Looks for one to three words that are nearly `validate-only` together, whatever separates them. */
function isMentioned(prefer: string): boolean {
  const words = prefer.match(/[a-z]+/g) ?? [];
  const isNear = (_: string, at: number) =>
    [1, 2, 3].some((count) => isNearly(words.slice(at, at + count).join('')));
  return prefer.includes(validateOnly) || words.some(isNear);
}

const lettersAlone = validateOnly.replace('-', '');

const isNearly = (letters: string): boolean =>
  Math.abs(letters.length - lettersAlone.length) <= mostDifferent &&
  leven(letters, lettersAlone) <= mostDifferent;

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
 * The version in `If-Match` (RFC 9110, 13.1.1): null for `*`, undefined for several versions or an unreadable header. Our ETag
 * is the version in quotes, with or without the digest of a read. A weak ETag counts as a strong one: a proxy that compresses weakens
 * ours on their way out. Any other tag matches no record.
 */
function expectedVersion(ifMatch: string): number | null | undefined {
  if (ifMatch.trim() === '*') return null;
  // A tag can have commas inside its quotes.
  const tags = (ifMatch.match(/("[^"]*"|[^,])+/g) ?? []).map((tag) => tag.trim()).filter(Boolean);
  if (tags.length === 0 || !tags.every((tag) => /^(W\/)?"[^"\s]*"$/.test(tag))) return undefined;
  const versions = new Set(
    tags.flatMap((tag) => /^(?:W\/)?"([1-9]\d{0,8})(?:-[\w-]{16})?"$/.exec(tag)?.[1] ?? []).map(Number),
  );
  return versions.size > 1 ? undefined : ([...versions][0] ?? noVersion);
}
