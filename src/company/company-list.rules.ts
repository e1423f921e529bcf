import { type Caller } from '../access/caller.js';
import { actsForBrandIn, coversMedia, isPartnerIn } from '../access/reach.rules.js';

/** The companies of a media that are within the caller's reach, as a query; null for all of them (Contract 5.6). */
export function companiesWithinReach(caller: Caller, mediaPublicId: string): Record<string, unknown> | null {
  if (coversMedia(caller, mediaPublicId)) return null;
  return {
    $or: [
      ...(isPartnerIn(caller, mediaPublicId) ? [{ createdBy: caller.subject }] : []),
      ...(actsForBrandIn(caller, mediaPublicId) ? [{ brand: caller.brand }] : []),
    ],
  };
}
