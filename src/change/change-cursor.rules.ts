import { DomainError } from '../errors/domain-error.js';
import { fieldFault, onArgument } from '../errors/field-fault.js';

/** Where the changes of a media come from, in the order of those of one instant. */
export const sources = ['company', 'departure', 'end', 'job'] as const;
export type SourceName = (typeof sources)[number];

/** A place among the changes of a media: after what changed at `at`, came from `source` and has this key there. */
export interface Position {
  /** Null: among what 1.0.0 wrote last, which comes first. */
  at: Date | null;
  source: SourceName;
  key: string;
}

/** Before all changes. No key is empty. */
export const beginning: Position = { at: null, source: sources[0], key: '' };

/** What a cursor is good for. Ends of lifetimes come at other instants once these have another length. */
export interface Feed {
  media: string;
  lifetimeMs: number;
  /** The present instant. */
  now: Date;
}

const validDays = 30;
const dayOf = (now: Date): number => Math.floor(now.getTime() / 86_400_000);

/** The text of a cursor: it has the day of its issue, so that a page that says nothing new is the same all day, and 304. */
export const cursorOf = ({ media, lifetimeMs, now }: Feed, { at, source, key }: Position): string =>
  JSON.stringify([media, lifetimeMs, dayOf(now), at?.getTime() ?? null, source, key]);

/**
 * Where a cursor points, and in which media.
 * @param feed its media is left out for a cursor of any
 * @throws DomainError validation-failed unless it is one of this feed that is still valid
 */
export function positionOf(
  cursor: string,
  { media, lifetimeMs, now }: Omit<Feed, 'media'> & Partial<Feed>,
): Position & { media: string } {
  const [ofMedia, ofLifetime, issuedDay, atMs, source, key] = read(cursor);
  const at = atMs === null ? null : new Date(typeof atMs === 'number' ? atMs : NaN);
  if (
    typeof ofMedia !== 'string' ||
    ofMedia !== (media ?? ofMedia) ||
    ofLifetime !== lifetimeMs ||
    !(dayOf(now) - Number(issuedDay) <= validDays) ||
    (at !== null && Number.isNaN(at.getTime())) ||
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
  en: 'a cursor of these changes from the last 30 days; without it, they begin again',
  fr: 'un curseur de ces changements des 30 derniers jours ; sans lui, ils reprennent au début',
});
