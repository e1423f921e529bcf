import { DomainError } from '../errors/domain-error.js';
import { fieldFault, onArgument } from '../errors/field-fault.js';

/** Changes at the same instant are listed in this order. */
export const sources = ['company', 'departure', 'end', 'job'] as const;
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

/** What a cursor is valid for. */
export interface Feed {
  media: string;
  now: Date;
}

const validDays = 30;
const dayOf = (now: Date): number => Math.floor(now.getTime() / 86_400_000);

/** Contains the day of issue, not the time, so an unchanged page stays the same all day, and a conditional request gets 304. */
export const cursorOf = ({ media, now }: Feed, { at, source, key }: Position): string =>
  JSON.stringify([media, dayOf(now), at.getTime(), source, key]);

/**
 * @param feed if it has no media, a cursor of any media is valid
 * @throws DomainError validation-failed if the cursor does not belong to this feed, or has expired
 */
export function positionOf(
  cursor: string,
  { media, now }: Pick<Feed, 'now'> & Partial<Feed>,
): Position & { media: string } {
  const parts = read(cursor);
  const [ofMedia] = parts;
  // A cursor of version 1.2.0 has a further part after the media.
  const [issuedDay, atMs, source, key] = parts.slice(-4);
  const at = new Date(typeof atMs === 'number' ? atMs : NaN);
  if (
    typeof ofMedia !== 'string' ||
    ofMedia !== (media ?? ofMedia) ||
    typeof issuedDay !== 'number' ||
    dayOf(now) - issuedDay > validDays ||
    Number.isNaN(at.getTime()) ||
    !sources.includes(source as SourceName) ||
    typeof key !== 'string'
  )
    throw new DomainError('validation-failed', { faults: [onArgument(stale)] });
  return { media: ofMedia, at, source: source as SourceName, key };
}

function read(cursor: string): unknown[] {
  try {
    return [JSON.parse(cursor)].flat() as unknown[];
  } catch {
    return [];
  }
}

const stale = fieldFault.format('after', {
  en: 'a cursor of these changes from the last 30 days; leave it out to start over',
  fr: 'un curseur de ces changements des 30 derniers jours ; sans lui, ils reprennent au début',
});
