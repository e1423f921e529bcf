import { type ErrorCode } from '../errors/catalogue.js';
import { DomainError, unauthorized } from '../errors/domain-error.js';
import { type Caller } from './caller.js';
import { type Role } from '../operations.js';

interface Owned {
  createdBy: string;
  /** Public id of the company's brand. A job has the brand of its company. */
  brand: string | null;
}

/** A filter of records by owner. A record must have every value that the filter names; an empty filter matches all records. */
type OwnedFilter = Partial<Owned>;

/** Returns what a role lets a caller reach in a media; null if the role gives nothing there. */
type Reach = (caller: Caller, mediaPublicId: string) => OwnedFilter | null;

const everything: OwnedFilter = {};

const inNamedMedia =
  (filterOf: (caller: Caller) => OwnedFilter): Reach =>
  (caller, media) =>
    caller.media?.has(media) ? filterOf(caller) : null;

/**
 * A brand_admin reaches its brand in every media or, if its token has a `media` claim, only in the media of the claim. An empty
 * claim gives no reach.
 */
const ofBrand: Reach = ({ brand, media }, mediaPublicId) =>
  brand !== undefined && (media === undefined || media.has(mediaPublicId)) ? { brand } : null;

/** Defines what each role reaches (Contract 5.6). Checks of single records and queries of lists are derived from this table. */
const reachOf: Record<
  Role,
  {
    /** Which companies and jobs the role reaches. A role may reach a job without reaching the job's company. */
    records: Reach;
    /** Whether the role reaches the media itself. If not, the media looks absent to callers who reach no company in it. */
    isOfMedia: boolean;
  }
> = {
  media_admin: {
    records: inNamedMedia(() => everything),
    isOfMedia: true,
  },
  media_partner: {
    records: inNamedMedia(({ subject }) => ({ createdBy: subject })),
    isOfMedia: true,
  },
  brand_admin: { records: ofBrand, isOfMedia: false },
};

/** The caller's reach in a media (Contract 5.6). The caller reaches a record that matches any of these filters. */
export const reachIn = (caller: Caller, mediaPublicId: string): OwnedFilter[] =>
  [...caller.roles].flatMap((role) => reachOf[role].records(caller, mediaPublicId) ?? []);

/** Whether the caller reaches the media itself, not just companies in it. */
export const reachesMediaItself = (caller: Caller, mediaPublicId: string): boolean =>
  [...caller.roles].some(
    (role) => reachOf[role].isOfMedia && reachOf[role].records(caller, mediaPublicId) !== null,
  );

const isAll = (filter: OwnedFilter): boolean => Object.keys(filter).length === 0;

const matches = (filter: OwnedFilter, owned: OwnedFilter): boolean =>
  (Object.keys(filter) as (keyof Owned)[]).every((key) => filter[key] === owned[key]);

/** Whether the caller reaches every record of the media. Only then may the caller learn that a record is absent (Contract 5.7). */
export const coversMedia = (caller: Caller, mediaPublicId: string): boolean =>
  reachIn(caller, mediaPublicId).some(isAll);

/**
 * The error for a missing record (Contract 5.7): the given 404 if the caller reaches the whole media, otherwise the same
 * refusal as for a record out of reach.
 */
export const notFound = (caller: Caller, mediaPublicId: string, code: ErrorCode): DomainError =>
  coversMedia(caller, mediaPublicId) ? new DomainError(code) : unauthorized();

/** Whether the caller may act on this record in this media (Contract 5.6). */
export const reachesRecord = (caller: Caller, mediaPublicId: string, record: Owned): boolean =>
  reachIn(caller, mediaPublicId).some((filter) => matches(filter, record));

/**
 * Turns a reach into a database query for lists. The query is empty if the reach covers the whole media.
 * @param byBrand builds the condition on the brand. The default compares the record's own `brand`, which jobs don't have
 */
export function reachQuery(
  reach: readonly OwnedFilter[],
  byBrand: (brand: string | null) => Record<string, unknown> = (brand) => ({ brand }),
): Record<string, unknown> {
  if (reach.some(isAll)) return {};
  return {
    $or: reach.map(({ brand, ...own }) => ({ ...own, ...(brand !== undefined && byBrand(brand)) })),
  };
}

/**
 * A query for a job whose media is not known yet, built from the token alone. It matches every job that the caller reaches, and
 * may match more. A job that does not match is treated like an absent job, so response times don't reveal whether it exists
 * (Contract 5.7).
 */
export function tokenQuery(caller: Caller): Record<string, unknown> {
  if (!caller.media) return {};
  const [media = ''] = caller.media;
  const reach = reachIn(caller, media);
  return { media: { $in: [...caller.media] }, ...(reach.length > 0 && reachQuery(reach, () => ({}))) };
}
