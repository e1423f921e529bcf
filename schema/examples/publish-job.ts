import { JobDocument, UpdateJobDocument } from '../client/src/index.js';
import { callGateway, type Connection } from './call-gateway.js';
import { explainError } from './explain-error.js';

/** Publishes a job, unless somebody changes it in the meantime. Returns a sentence for the user. */
export async function publishJob(
  connection: Connection,
  /** `expiresAt`: an instant, or the last day; by default the job ends after 90 days. */
  job: { mediaPublicId: string; companyPublicId: string; jobPublicId: string; expiresAt?: string },
): Promise<string> {
  const read = await callGateway(connection, JobDocument, { publicId: job.jobPublicId });
  const current = read.data?.job;
  if (!current) return read.errors.map(explainError).join(' ');
  if (current.state === 'published') return `${current.name} is already published.`;

  const { data, errors } = await callGateway(connection, UpdateJobDocument, {
    input: { ...job, state: 'published' },
    expectedVersion: current.version,
  });
  const published = data?.updateJob?.job;
  return published ? `${published.name} is at ${published.jobUrl}` : errors.map(explainError).join(' ');
}
