import { Types } from 'mongoose';
import { collectionOf } from '../database/collection-of.js';
import { singleBatch } from '../database/single-batch.js';
import { nodeId } from '../fields/row.rules.js';
import { type IdempotencyRecord } from '../idempotency/idempotency.record.js';
import { toMedia } from '../media/media.rules.js';
import { type MediaRecord } from '../media/media.record.js';
import { type Models } from '../models.js';

interface View {
  publicId: string;
  version: number;
  history: unknown;
  updatedAt: Date | null;
}

type CompanyView = View & { id: string; mediaPublicIds?: string[] };

interface JobView extends View {
  mediaPublicId?: string;
  employer: CompanyView | null;
  office: { publicId: string; name: string } | null;
  questions: { id: string }[];
}

interface Payload {
  job?: JobView;
  company?: CompanyView;
  warnings: object[] | null;
}

/**
 * Gives the answers that 1.2.0 stored today's form. Answers of 1.0.0 and 2.0.0-next.0, and with a company of several media, go: nothing
 * says which media the caller named. Repeated calls then find in the record that they have run, as if the process had died before it stored
 * the answer.
 */
export async function convertKeys(
  page: readonly IdempotencyRecord[],
  { models }: { models: Models },
): Promise<void> {
  const media = await models.media.find().lean<MediaRecord[]>();
  const ofCalls = { 'call.key': { $in: page.map(({ _id }) => _id) } };
  const options = { projection: { record: 1, 'call.key': 1 }, ...singleBatch };
  const entries = await collectionOf(models.history).find(ofCalls, options).toArray();
  const writes = page.flatMap(({ _id, claim = null, claimedAt, payload: stored, movedFrom }) => {
    const payload = stored && todays(stored as Payload, claimedAt, media);
    if (payload === stored && movedFrom && claim !== null) return [];
    const moved = entries.filter(({ call }) => call?.key === _id).map(({ record }) => record);
    const values = { movedFrom: movedFrom ?? moved, claim: claim ?? '' };
    const update = payload
      ? { $set: { ...values, payload } }
      : { $set: { ...values, claimedAt: new Date(0) }, $unset: { payload: '', packed: '' } };
    return [{ updateOne: { filter: { _id, claim, claimedAt }, update } }];
  });
  if (writes.length > 0) await models.idempotency.collection.bulkWrite(writes as never, { ordered: false });
}

/** @returns the payload itself if it has today's form; undefined if it can't be converted */
function todays(payload: Payload, claimedAt: Date, media: readonly MediaRecord[]): object | undefined {
  const { job, company } = payload;
  if (!((job ?? company)?.history instanceof Types.ObjectId)) return payload;
  const dated = <S extends View>({ history: record, ...view }: S) => ({
    ...view,
    history: { record, publicId: view.publicId, version: view.version },
    updatedAt: view.updatedAt ?? claimedAt,
  });
  const companyIn = (mediaPublicId: string, view: CompanyView, viewerCanUpdate: boolean) => ({
    ...dated(view),
    id: nodeId('Company', mediaPublicId, view.publicId),
    recordId: view.id,
    mediaPublicId,
    viewerCanUpdate,
    jobs: { mediaPublicId, companyPublicId: view.publicId },
  });
  const warnings = payload.warnings ?? [];
  if (company) {
    const [only, ...others] = company.mediaPublicIds ?? [];
    return only && others.length === 0 && !('recordId' in company)
      ? { warnings, company: companyIn(only, company, true) }
      : undefined;
  }
  const of = media.find(({ publicId }) => publicId === job?.mediaPublicId);
  if (!job || !of || 'id' in job) return undefined;
  const { publicId, employer, office, questions } = job;
  return {
    warnings,
    job: {
      ...dated(job),
      id: nodeId('Job', publicId),
      media: toMedia(of),
      // 1.2.0 had no `viewerCanUpdate`, so no repeated call asks whether the caller could update the employer.
      employer: employer && companyIn(of.publicId, employer, false),
      office: office && { publicId: office.publicId, name: office.name },
      questions: questions.map(({ id: questionId, ...question }) => ({ ...question, questionId })),
      viewerCanUpdate: true,
    },
  };
}
