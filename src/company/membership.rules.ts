import { type CompanyRecord, type Membership } from './company.model.js';

/** The company's place in the media, with its two flags there; undefined when it is not in it. */
export const membershipIn = (
  { memberships }: Pick<CompanyRecord, 'memberships'>,
  mediaPublicId: string,
): Membership | undefined => memberships.find(({ media }) => media === mediaPublicId);
