import { expect } from '@jest/globals';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { commandsOn, linesOf } from '../../support/commands.js';
import { loseLease } from '../../support/lease.js';
import { dist, startGatewayProcess } from '../../support/process.js';
import { Client } from './client.js';
import { dying, isKilled } from './deaths.js';
import { type Installation } from './installation.js';

export const [left, entered] = ['demo-media', 'other-media'];
export const [formerBrand, brand] = ['acme-group', 'other-group'];
export const membership = (media: string) => ({ media_public_id: media, is_published: true });
export const both = [left, entered].map(membership);
export const companyLine = (id: string, values: object) => ({ kind: 'company', public_id: id, ...values });
export const jobLine = (id: string, values: object) => ({ kind: 'job', public_id: id, ...values });

export async function imported({ environment }: Installation, ...records: object[]): Promise<void> {
  const { importFiles } = commandsOn(environment.MONGODB_URI!, environment);
  expect(await importFiles(['-'], linesOf(records))).toMatchObject({ code: 0 });
}

/** Imports in a separate process, which dies. */
export async function importKilled(
  { environment, models }: Installation,
  records: readonly object[],
  death: Record<string, string>,
): Promise<boolean> {
  const file = join(environment.DATA_DIR!, 'records.jsonl');
  await writeFile(file, linesOf(records));
  const isDead = await isKilled([`${dist}/cli/import.js`, file], { ...environment, ...death });
  if (isDead) await loseLease(models);
  return isDead;
}

/** Companies and jobs as killed imports and calls leave them, and one that was archived long ago. */
export async function leaveHalfDone(installation: Installation) {
  const { models, environment, token } = installation;
  const [gone, kept] = ['left-0-gone', 'left-0-kept'];
  const company = (id: string) => companyLine(id, { name: id, brand: formerBrand, memberships: both });
  const job = (id: string, media: string, state = 'draft') =>
    jobLine(id, { name: id, media_public_id: media, company_public_id: id.slice(0, gone.length), state });
  const staying = [job(`${gone}-stays`, left), job(`${gone}-elsewhere`, entered)];
  await imported(installation, company(gone), company(kept), ...staying);
  await imported(installation, job(`${kept}-follows`, left), job(`${kept}-old`, left, 'archived'));
  const archivedAt = new Date(Date.now() - 40 * 86_400_000);
  await models.jobs.updateOne({ publicId: `${kept}-old` }, { archivedAt });
  // After it has written the job.
  const follows = jobLine(`${kept}-follows`, { media_public_id: entered });
  expect(await importKilled(installation, [follows], dying(2, 'jobs'))).toBe(true);
  for (const id of [gone, kept]) {
    // After it has inserted the job.
    const doomed = await startGatewayProcess({ ...environment, ...dying(2, 'jobs') });
    const caller = new Client(doomed.url, token);
    const place = { media_public_id: left, company_public_id: id };
    const { status } = await caller.createJob({ ...place, name: 'Created', job_public_id: `${id}-created` });
    expect(status).toBeNull();
    caller.close();
  }
  // The next import completes them.
  const jobs = await models.jobs.collection.find({ publicId: new RegExp(`^(${gone}-c|${kept}-)`) }).toArray();
  // After it has dated new companies, marked the moving one and written it.
  const moves = { ...company(gone), brand, memberships: [membership(entered)] };
  expect(await importKilled(installation, [moves], dying(6, 'companies'))).toBe(true);
  const named = { publicId: { $in: staying.map(({ public_id: id }) => id) } };
  jobs.push(...(await models.jobs.collection.find(named).toArray()));
  const companies = await models.companies.collection.find({ publicId: { $in: [gone, kept] } }).toArray();
  // Each has the mark of what was left.
  expect(companies.find(({ publicId }) => publicId === gone)).toMatchObject({ brand, isSyncDue: true });
  expect(jobs.find(({ publicId }) => publicId === `${kept}-follows`)).toMatchObject({ isSyncDue: true });
  return { jobs, companies };
}
