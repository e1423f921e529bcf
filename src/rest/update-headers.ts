import { type FastifyRequest } from 'fastify';
import leven from 'leven';
import { excerpt } from '../errors/excerpt.js';
import { fieldFault, type FieldFault, onArgument } from '../errors/field-fault.js';
import { unreadable } from '../errors/domain-error.js';

/** A version that no record ever has, for a condition that cannot hold. */
const noVersion = -1;

/** The arguments of both operations beside their input, as the headers of a request give them (Contract 9.1, 9.3, 9.4). */
interface UpdateOptions extends Record<string, unknown> {
  expectedVersion: number | null;
  idempotencyKey: string | null;
  dryRun: boolean;
}

/** Reads `If-Match`, `Idempotency-Key` and `Prefer`. @throws DomainError body-format-error for a misspelt `validate-only` */
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
  // A condition that cannot be checked is a fault: to ignore it would write what its caller did not want.
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

/** A preference that differs from `validate-only` in so few characters was meant for it. */
const mostDifferent = 2;

/**
 * Whether an update is only to be checked. An unknown preference is ignored (RFC 7240, 2). A misspelt `validate-only` is refused
 * instead: ignored, it would make a write that its caller did not want (Contract 9.4.1).
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

/** A value in quotes, whose commas part nothing. A quote that nobody closed is a character like any other. */
const quotedValue = /= *"(?:[^"\\]|\\.)*"/g;

const isNearly = (name: string): boolean =>
  Math.abs(name.length - validateOnly.length) <= mostDifferent &&
  leven(name.replaceAll('_', '-'), validateOnly) <= mostDifferent;

const unclearCondition = onArgument(
  fieldFault.format('ifMatch', {
    en: 'one ETag that a reply had, with its quotes, or *',
    fr: 'un seul ETag, celui d’une réponse avec ses guillemets, ou *',
  }),
);

const oppositeCondition = onArgument(
  fieldFault.format('ifNoneMatch', {
    en: 'left out of an update, which never creates: If-Match names the version that it expects',
    fr: 'absent d’une mise à jour, qui ne crée rien : If-Match nomme la version attendue',
  }),
);

/**
 * The version that `If-Match` names (RFC 9110, 13.1.1): null for any, undefined if it names several or cannot be read.
 * A strong ETag is the version in quotes, with or without the digest of a read. Any other tag, such as a weak one,
 * names a version that no record has.
 */
function expectedVersion(ifMatch: string): number | null | undefined {
  if (ifMatch.trim() === '*') return null;
  // A tag may have commas within its quotes.
  const tags = (ifMatch.match(/("[^"]*"|[^,])+/g) ?? []).map((tag) => tag.trim()).filter(Boolean);
  if (tags.length === 0 || !tags.every((tag) => /^(W\/)?"[^"\s]*"$/.test(tag))) return undefined;
  const versions = new Set(
    tags.flatMap((tag) => /^"([1-9]\d{0,8})(?:-[\w-]{16})?"$/.exec(tag)?.[1] ?? []).map(Number),
  );
  return versions.size > 1 ? undefined : ([...versions][0] ?? noVersion);
}
