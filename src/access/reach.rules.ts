import { type ErrorCode } from '../errors/catalogue.js';
import { DomainError, unauthorized } from '../errors/domain-error.js';
import { type Caller } from './caller.js';
import { type Role } from '../operations.js';

/** What decides whose a record is. */
interface Owned {
  createdBy: string;
  /** Public id of the brand of the company, or of the job's company. */
  brand: string | null;
}

/** A filter of records by their owner: a record must have every value named here. An empty filter matches all records. */
type OwnedFilter = Partial<Owned>;

/** What a role lets a caller reach in a media; null where it does not act there. */
type Reach = (caller: Caller, mediaPublicId: string) => OwnedFilter | null;

const everything: OwnedFilter = {};

const inNamedMedia =
  (filterOf: (caller: Caller) => OwnedFilter): Reach =>
  (caller, media) =>
    caller.media?.has(media) ? filterOf(caller) : null;

/** A `media` claim narrows a brand_admin, an empty one to nothing; without the claim every media of the brand is open. */
const ofBrand: Reach = ({ brand, media }, mediaPublicId) =>
  brand !== undefined && (media === undefined || media.has(mediaPublicId)) ? { brand } : null;

/** All that a role means for reach (Contract 5.6); the rules of one record and the queries of lists follow from it. */
const reachOf: Record<
  Role,
  {
    /** Companies and jobs. A job within it may be of any company. */
    records: Reach;
    /** Whether the role reaches the media itself. If not, the media looks absent unless the caller reaches a company in it. */
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

/** The caller's reach in a media: a record is within it if it matches any of these filters (Contract 5.6). */
export const reachIn = (caller: Caller, mediaPublicId: string): OwnedFilter[] =>
  [...caller.roles].flatMap((role) => reachOf[role].records(caller, mediaPublicId) ?? []);

/** Whether the caller reaches the media itself, and not only companies in it. */
export const reachesMediaItself = (caller: Caller, mediaPublicId: string): boolean =>
  [...caller.roles].some(
    (role) => reachOf[role].isOfMedia && reachOf[role].records(caller, mediaPublicId) !== null,
  );

const isAll = (filter: OwnedFilter): boolean => Object.keys(filter).length === 0;

const matches = (filter: OwnedFilter, owned: OwnedFilter): boolean =>
  (Object.keys(filter) as (keyof Owned)[]).every((key) => filter[key] === owned[key]);

/** Whether the caller's reach is the whole media: only then may it learn that a record is absent (Contract 5.7). */
export const coversMedia = (caller: Caller, mediaPublicId: string): boolean =>
  reachIn(caller, mediaPublicId).some(isAll);

/**
 * The error for a record that is not there: the given 404 where the caller's reach is the whole media, otherwise the refusal
 * that a record out of reach gets (Contract 5.7).
 */
export const notFound = (caller: Caller, mediaPublicId: string, code: ErrorCode): DomainError =>
  coversMedia(caller, mediaPublicId) ? new DomainError(code) : unauthorized();

/** Whether the caller may act on this record in this media (Contract 5.6). */
export const reachesRecord = (caller: Caller, mediaPublicId: string, record: Owned): boolean =>
  reachIn(caller, mediaPublicId).some((filter) => matches(filter, record));

/**
 * The same reach as a query for a list; an empty one for the whole media.
 * @param byBrand makes the condition on the brand; by default on the record's own, which not all records hold
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
 * A query that every record within the caller's reach meets, whatever its media: as much as the token alone decides. A record
 * that does not meet it is not read any further, so that the time taken tells nobody whether it is there (Contract 5.7).
 */
export function tokenQuery(caller: Caller): Record<string, unknown> {
  if (!caller.media) return {};
  const [media = ''] = caller.media;
  const reach = reachIn(caller, media);
  return { media: { $in: [...caller.media] }, ...(reach.length > 0 && reachQuery(reach, () => ({}))) };
}
