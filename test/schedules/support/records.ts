import { Types } from 'mongoose';
import { type CompanyRecord } from '../../../src/company/company.record.js';
import { type JobRecord, reachOf } from '../../../src/job/job.record.js';
import { type Models } from '../../../src/models.js';
import { demoDataAsStored } from '../../support/reset-records.js';

export const startMs = Date.parse('2026-01-01T00:00:00Z');
export const jobId = 'acme-backend-engineer';
export const homeMedia = 'demo-media';
const otherMedia = 'other-media';
export const allMedia = [homeMedia, otherMedia];
export const brands = ['acme-group', 'other-group'];

const data = demoDataAsStored(new Date());
const job = data.jobs.find(({ publicId }) => publicId === jobId) as JobRecord;
const company = data.companies.find(({ publicId }) => publicId === 'acme') as CompanyRecord;

/** The state before a schedule: a company with a job in each of two media. */
export interface Beginning {
  /** At 31, the next change moves the history. */
  version?: number;
  /** When the jobs end, after the start. */
  endsInMs?: number;
  memberships?: readonly string[];
}

export function recordsOf(models: Models, { version = 1, endsInMs = 1e9, ...rest }: Beginning) {
  const publishedAt = new Date(startMs - 1_000);
  const flags = { isPublished: true, isVmePagePublished: true };
  const memberships = (rest.memberships ?? [homeMedia]).map((each) => ({ media: each, ...flags }));
  const employer = { ...company, logo: null, version, memberships };
  const jobIn = (media: string, own: object) => ({
    ...{ ...job, version, media, state: 'published', publishedAt },
    ...{ expiresAt: new Date(startMs + endsInMs), ...reachOf(employer, media), ...own },
  });
  const elsewhere = { _id: new Types.ObjectId(), publicId: 'elsewhere' };
  const documents: Partial<Record<keyof Models, object[]>> = {
    media: [...data.media, { ...data.media[0], _id: otherMedia, publicId: otherMedia }],
    jobs: [jobIn(homeMedia, {}), jobIn(otherMedia, elsewhere)],
    companies: [employer],
    history: [],
  };
  return Object.entries(documents).map(([name, inserted]) => ({
    name,
    documents: inserted,
    indexes: models[name as keyof Models].schema
      .indexes()
      .map(([key, options]) => ({ key, ...options, name: options.name ?? Object.keys(key).join() })),
  }));
}
