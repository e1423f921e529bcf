import { type Query } from '../paging/query.rules.js';
import { type ErrorCode } from '../errors/catalogue.js';
import { DomainError, outOfReach } from '../errors/domain-error.js';
import { type Caller } from '../tokens/caller.js';
import { type Role } from '../operations.js';

interface Owned {
  createdBy: string;
  /** Public id. A job has the brand of its company. */
  brand: string | null;
}

/** A record must have every value that the filter names; an empty filter matches all records. */
type OwnedFilter = Partial<Owned>;

/** Null if the role reaches nothing in the media. */
type Reach = (caller: Caller, mediaPublicId: string) => OwnedFilter | null;

const inNamedMedia =
  (filterOf: (caller: Caller) => OwnedFilter): Reach =>
  (caller, media) =>
    caller.media?.has(media) ? filterOf(caller) : null;

/** A brand_admin reaches its brand in every media or, with a `media` claim, only in the claimed media. An empty claim gives no reach. */
const ofBrand: Reach = ({ brand, media }, mediaPublicId) =>
  brand !== undefined && (media === undefined || media.has(mediaPublicId)) ? { brand } : null;

/** The reach of each role. */
const reachOf: Record<
  Role,
  {
    /** A role may reach a job without the job's company. */
    records: Reach;
    /** Whether the role reaches the media itself. If not, the media looks absent to callers who reach no company in it. */
    isOfMedia: boolean;
  }
> = {
  media_admin: { records: inNamedMedia(() => ({})), isOfMedia: true },
  media_partner: { records: inNamedMedia(({ subject }) => ({ createdBy: subject })), isOfMedia: true },
  brand_admin: { records: ofBrand, isOfMedia: false },
};

/** The caller reaches a record that matches any of these filters. */
export const reachIn = (caller: Caller, mediaPublicId: string): OwnedFilter[] =>
  [...caller.roles].flatMap((role) => reachOf[role].records(caller, mediaPublicId) ?? []);

export const reachesMediaItself = (caller: Caller, mediaPublicId: string): boolean =>
  [...caller.roles].some(
    (role) => reachOf[role].isOfMedia && reachOf[role].records(caller, mediaPublicId) !== null,
  );

/** The media that the caller may reach: undefined means all. If `brand` is set, it reaches only those with a company of this brand. */
export function mediaWithin(caller: Caller): { media?: readonly string[]; brand?: string } {
  const { brand } = caller;
  const claimed = caller.media && [...caller.media];
  if (claimed?.some((media) => reachesMediaItself(caller, media))) return { media: claimed };
  const isOfBrand = brand !== undefined && caller.roles.has('brand_admin');
  return isOfBrand ? { ...(claimed && { media: claimed }), brand } : { media: [] };
}

const isAll = (filter: OwnedFilter): boolean => Object.keys(filter).length === 0;

const matches = (filter: OwnedFilter, owned: OwnedFilter): boolean =>
  (Object.keys(filter) as (keyof Owned)[]).every((key) => filter[key] === owned[key]);

/** Only a caller who reaches the whole media may learn that a record is absent. */
export const coversMedia = (caller: Caller, mediaPublicId: string): boolean =>
  reachIn(caller, mediaPublicId).some(isAll);

/**
 * The error for a missing record: the given 404 for a caller who reaches the whole media; for others, the refusal
 * of a record out of reach.
 */
export const notFound = (caller: Caller, mediaPublicId: string, code: ErrorCode): DomainError =>
  coversMedia(caller, mediaPublicId) ? new DomainError(code) : outOfReach();

export const reachesRecord = (caller: Caller, mediaPublicId: string, record: Owned): boolean =>
  reachIn(caller, mediaPublicId).some((filter) => matches(filter, record));

/** Undefined if the company is not in the media: nobody reaches it there. */
export const membershipIn = <Membership extends { media: string }>(
  { memberships }: { memberships: readonly Membership[] },
  mediaPublicId: string,
): Membership | undefined => memberships.find(({ media }) => media === mediaPublicId);

/** Whether an update would pass the checks of role, scope and reach. */
export type MayUpdate = (
  field: 'updateJob' | 'updateCompany',
  mediaPublicId: string,
  record: Owned,
) => boolean;

/** Matches no record. */
const nothing = { _id: { $in: [] } };

/** Together, these match what the caller reaches. Lists read an index for each. */
export function reachQueries(reach: readonly OwnedFilter[]): [Query, ...Query[]] {
  const [one = nothing, ...others] = reach.some(isAll) ? [{}] : reach;
  return [one, ...others] as [Query, ...Query[]];
}

export function reachQuery(reach: readonly OwnedFilter[]): Query {
  const [one, ...others] = reachQueries(reach);
  // Some databases find no index for an `$or` of one.
  return others.length > 0 ? { $or: [one, ...others] } : { ...one };
}

/** The reach of the caller in each media that its token can act in: the same in all of them. */
export function reachAnywhere(caller: Caller): OwnedFilter[] {
  const [media = ''] = caller.media ?? [];
  return reachIn(caller, media);
}
