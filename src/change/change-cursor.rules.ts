import { DomainError } from '../errors/domain-error.js';
import { fieldFault, onArgument } from '../errors/field-fault.js';

/** Changes at the same instant are listed in this order. */
export const sources = ['company', 'departure', 'job'] as const;
export type SourceName = (typeof sources)[number];

/** Right after the change with this instant, source and key. */
export interface Position {
  at: Date;
  source: SourceName;
  key: string;
}

const lastKey = '\u{10ffff}';

/** After all changes at this instant: the key sorts after every real key. */
export const afterAllAt = (at: Date): Position => ({ at, source: 'job', key: lastKey });

/** Whether changes at the instant of this position can follow it. */
export const hasRestOfInstant = ({ key }: Position): boolean => key !== lastKey;

/** A cursor is valid only in its feed. */
export interface Feed {
  media: string;
  now: Date;
  /** The database's: null until it is first renewed. */
  epoch: string | null;
}

const validDays = 30;
const dayOf = (now: Date): number => Math.floor(now.getTime() / 86_400_000);

/** Contains the day of issue, not the time, so an unchanged page stays the same all day, and a conditional request gets 304. */
export const cursorOf = ({ media, now, epoch }: Feed, { at, source, key }: Position): string =>
  // Cursors of 2.0.0 have no epoch, and belong to the first.
  JSON.stringify([media, dayOf(now), at.getTime(), source, key, ...(epoch === null ? [] : [epoch])]);

/**
 * @param feed if it has no media, a cursor of any media is valid
 * @throws DomainError validation-failed if the cursor does not belong to this feed, or has expired
 */
export function positionOf(
  cursor: string,
  { media, now, epoch }: Omit<Feed, 'media'> & Partial<Feed>,
): Position & { media: string } {
  const [ofMedia, issuedDay, atMs, source, key, ofEpoch = null] = read(cursor);
  const at = new Date(typeof atMs === 'number' ? atMs : NaN);
  // Version 2.0.0 listed ends of jobs between tombstones and jobs.
  const known = source === 'end' ? { source: sources[1], key: lastKey } : { source, key };
  if (
    typeof ofMedia !== 'string' ||
    ofMedia !== (media ?? ofMedia) ||
    typeof issuedDay !== 'number' ||
    dayOf(now) - issuedDay > validDays ||
    Number.isNaN(at.getTime()) ||
    !sources.includes(known.source as SourceName) ||
    typeof known.key !== 'string'
  )
    throw new DomainError('validation-failed', { faults: [onArgument(stale)] });
  if (ofEpoch !== epoch) throw new DomainError('validation-failed', { faults: [onArgument(restored)] });
  return { media: ofMedia, at, source: known.source as SourceName, key: known.key };
}

function read(cursor: string): unknown[] {
  try {
    return [JSON.parse(cursor)].flat() as unknown[];
  } catch {
    return [];
  }
}

const stale = fieldFault.format('after', {
  en: 'Send a cursor of these changes from the last 30 days, or none, to start over.',
  fr: 'Envoyez un curseur de ces changements des 30 derniers jours, ou aucun pour reprendre au début.',
});

const restored = fieldFault.format('after', {
  en: 'The database has been restored since this cursor: begin again, without it.',
  fr: 'La base a été restaurée depuis ce curseur : recommencez, sans lui.',
});
