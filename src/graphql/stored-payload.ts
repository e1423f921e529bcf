import { nodeId } from '../fields/row.rules.js';
import { toMedia } from '../media/media.rules.js';
import { type MediaService } from '../media/media.service.js';

interface StoredCompany {
  id: string;
  publicId: string;
  recordId?: string;
  /** Lacking in payloads of 1.0.0. */
  mediaPublicIds?: string[];
}

interface StoredJob {
  id?: string;
  publicId: string;
  /** Lacking in payloads of 1.0.0. */
  mediaPublicId?: string;
  employer?: StoredCompany | null;
  office: { publicId: string; name: string } | null;
  questions: { id: string }[];
}

/** The answer to a call with an idempotency key, as version 1 or this version stored it. */
export interface StoredPayload {
  company?: StoredCompany;
  job?: StoredJob;
  warnings: object[] | null;
}

export interface ReplayedCall {
  /** All calls of 1.0.0 name their media. */
  mediaPublicId: string | undefined;
  /** Whether the caller's role and scope let it update companies. */
  canUpdateCompanies: boolean;
}

/**
 * Gives a payload that version 1 stored the form of today's schema (Contract 9.3.11). Versions 1 kept it for 24 h, so nobody needs this a
 * day after their last process has ended.
 */
export async function todaysPayload(
  media: MediaService,
  { company, job, warnings }: StoredPayload,
  { mediaPublicId = '', canUpdateCompanies }: ReplayedCall,
): Promise<object> {
  const payload = { warnings: warnings ?? [] };
  if (company) return { ...payload, company: todaysCompany(company, mediaPublicId, true) };
  if (!job || job.id !== undefined) return { ...payload, job };
  const { publicId, employer, office, questions, mediaPublicId: named = mediaPublicId } = job;
  const record = await media.find(named);
  if (!record) throw new Error(`A stored payload refers to the media ${named}, which does not exist`);
  const today = {
    ...job,
    id: nodeId('Job', publicId),
    mediaPublicId: named,
    media: toMedia(record),
    ...(employer && { employer: todaysCompany(employer, named, canUpdateCompanies) }),
    office: office && { publicId: office.publicId, name: office.name },
    questions: questions.map(({ id: questionId, ...question }) => ({ ...question, questionId })),
    viewerCanUpdate: true,
  };
  return { ...payload, job: today };
}

function todaysCompany(company: StoredCompany, mediaPublicId: string, viewerCanUpdate: boolean): object {
  if (company.recordId !== undefined) return company;
  const { id: recordId, publicId, mediaPublicIds = [mediaPublicId] } = company;
  const id = nodeId('Company', mediaPublicId, publicId);
  const jobs = { mediaPublicId, companyPublicId: publicId };
  return { ...company, id, recordId, mediaPublicId, mediaPublicIds, viewerCanUpdate, jobs };
}
