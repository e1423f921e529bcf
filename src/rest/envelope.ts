import { change } from '../change/change.types.js';
import { company } from '../company/company-fields.rules.js';
import { type JobState } from '../job/job-choices.rules.js';
import { job } from '../job/job-fields.rules.js';
import { type DocumentedField } from '../operations.js';
import { reference } from '../reference/reference.rules.js';
import { envelopeOf, type Key, keysOf } from './documented.js';

export const documentedCompany = keysOf('update', company);
export const documentedJob = keysOf('update', job);
export const readJob = keysOf('read', job);
export const listedJob = keysOf('list', job);
export const documentedChange = keysOf('read', change);

/** A reference inside a job. */
const documentedReference = keysOf('read', reference);

/** Contract 4.5.3. */
export const listedReference: readonly Key[] = [{ field: 'id', as: 'id' }, ...documentedReference];

export const documentedReplies = {
  company: { type: 'Company', shown: documentedCompany },
  updateCompany: { type: 'Company', shown: documentedCompany },
  job: { type: 'Job', shown: readJob },
  jobs: { type: 'Job', shown: listedJob },
  changes: { type: 'Change', shown: documentedChange },
  updateJob: { type: 'Job', shown: documentedJob },
  references: { type: 'Reference', shown: listedReference },
} as const satisfies Record<DocumentedField, { type: string; shown: readonly Key[] }>;

/** Headers, because the documented body of an update cannot have more keys (Contract 4.5.7). */
export const jobHeaders = ({ state, expiresAt }: { state: JobState; expiresAt: string | null }) => ({
  'job-state': state,
  ...(expiresAt && { 'job-expires': expiresAt }),
});

export const companyEnvelope = envelopeOf(documentedCompany);
export const jobEnvelope = envelopeOf(documentedJob);
export const readJobEnvelope = envelopeOf(readJob);
export const listedJobEnvelope = envelopeOf(listedJob);
export const changeEnvelope = envelopeOf(documentedChange);
export const referenceEnvelope = envelopeOf(listedReference);
