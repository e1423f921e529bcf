import { type Collection } from 'mongoose';
import { type Caller } from '../access/caller.js';
import { reachAnywhere, type reachIn, reachQuery } from '../access/reach.rules.js';
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

/**
 * A query for a job whose media is not known yet. Jobs out of reach don't match, so they are neither joined nor decoded, and response
 * times don't tell them from absent jobs (Contract 5.7).
 */
export async function jobsOfCaller(
  companies: Collection<CompanyRecord>,
  caller: Caller,
): Promise<Record<string, unknown>> {
  const inMedia = (path: string) => caller.media && { [path]: { $in: [...caller.media] } };
  const within = await jobsWithinReach(companies, reachAnywhere(caller), inMedia('memberships.media'));
  return allOf(inMedia('media'), within);
}
