import { type Caller } from './caller.js';

/** What decides whose a record is. */
export interface Owned {
  createdBy: string;
  /** Public id of the brand of the company, or of the job's company. */
  brand: string | null;
}

/** Whether some role of the caller may act in the media at all, on at least part of it (Contract 5.6). */
export function reachesMedia(caller: Caller, mediaPublicId: string): boolean {
  return (
    coversMedia(caller, mediaPublicId) ||
    isPartnerIn(caller, mediaPublicId) ||
    actsForBrandIn(caller, mediaPublicId)
  );
}

/** Whether the caller's reach is the whole media: only then may it learn that a record is absent (Contract 5.7). */
export function coversMedia(caller: Caller, mediaPublicId: string): boolean {
  return caller.roles.has('media_admin') && isNamed(caller, mediaPublicId);
}

/** Whether the caller may act on this record in this media: as its admin, its maker or its brand (Contract 5.6). */
export function reachesRecord(caller: Caller, mediaPublicId: string, record: Owned): boolean {
  return (
    coversMedia(caller, mediaPublicId) ||
    (isPartnerIn(caller, mediaPublicId) && record.createdBy === caller.subject) ||
    actsForBrand(caller, mediaPublicId, record.brand)
  );
}

/** Whether the caller may use this company as the place of a job of its own: a partner may, whoever made it. */
export function reachesAsEmployer(caller: Caller, mediaPublicId: string, brand: string | null): boolean {
  return (
    coversMedia(caller, mediaPublicId) ||
    isPartnerIn(caller, mediaPublicId) ||
    actsForBrand(caller, mediaPublicId, brand)
  );
}

/** Whether the caller is a partner of the media, who reaches there what it made. */
export const isPartnerIn = (caller: Caller, mediaPublicId: string): boolean =>
  caller.roles.has('media_partner') && isNamed(caller, mediaPublicId);

/** Whether the caller reaches the companies of its brand in the media. */
export const actsForBrandIn = (caller: Caller, mediaPublicId: string): boolean =>
  caller.roles.has('brand_admin') && caller.brand !== undefined && !isNarrowed(caller, mediaPublicId);

function actsForBrand(caller: Caller, mediaPublicId: string, brand: string | null): boolean {
  return actsForBrandIn(caller, mediaPublicId) && caller.brand === brand;
}

function isNamed(caller: Caller, mediaPublicId: string): boolean {
  return caller.media?.has(mediaPublicId) ?? false;
}

/** A `media` claim narrows a brand_admin, an empty one to nothing; without the claim every media of the brand is open. */
function isNarrowed(caller: Caller, mediaPublicId: string): boolean {
  return caller.media !== undefined && !caller.media.has(mediaPublicId);
}
