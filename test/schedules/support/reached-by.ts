import { type Sent } from './sent.js';
import { type Stage } from './stage.js';

/** The jobs that the reader of a list can read now, by what their companies say. */
export function reachedBy({ brand, inMedia: [media] = [] }: Sent, stage: Stage): Set<string> {
  const companies = stage.documents('companies') as unknown as {
    publicId: string;
    brand: string;
    memberships: { media: string }[];
  }[];
  const jobs = stage.documents('jobs') as unknown as { publicId: string; media: string; company: string }[];
  const employers = companies.filter(
    (company) =>
      (brand === undefined || company.brand === brand) &&
      company.memberships.some((membership) => membership.media === media),
  );
  const isReached = (job: { media: string; company: string }) =>
    job.media === media && employers.some(({ publicId }) => publicId === job.company);
  return new Set(jobs.filter(isReached).map(({ publicId }) => publicId));
}
