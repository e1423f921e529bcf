import { type Collection } from 'mongoose';
import { type reachIn, reachQuery } from '../access/reach.rules.js';
import { type CompanyRecord } from '../company/company.model.js';
import { allOf } from '../content/all-of.rules.js';
import { inOneReply } from '../database/in-one-reply.js';

/**
 * Jobs don't store a brand, so the query matches a brand's jobs by the brand's companies.
 * @param among further conditions on these companies
 */
export async function jobsWithinReach(
  companies: Collection<CompanyRecord>,
  reach: ReturnType<typeof reachIn>,
  among: Record<string, unknown> = {},
): Promise<Record<string, unknown>> {
  const brands = reach.flatMap(({ brand }) => brand ?? []);
  const ofBrands =
    brands.length > 0
      ? await companies
          .find(allOf({ brand: { $in: brands } }, among), {
            projection: { publicId: 1, brand: 1 },
            ...inOneReply,
          })
          .toArray()
      : [];
  return reachQuery(reach, (brand) => ({
    company: { $in: ofBrands.filter((company) => company.brand === brand).map(({ publicId }) => publicId) },
  }));
}
