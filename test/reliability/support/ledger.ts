import { expect } from '@jest/globals';
import { type HistoryEntry } from '../../../src/history/history-entry.js';
import { type Models } from '../../../src/models.js';
import { type JobRecord } from '../../../src/job/job.record.js';

/** A job with all its history entries, oldest first. */
export interface Account {
  job: JobRecord;
  entries: HistoryEntry[];
}

/** Asserts that each version has exactly one entry. */
export async function readAccounts(models: Models, filter: Record<string, unknown>): Promise<Account[]> {
  const jobs = await models.jobs.find(filter).lean<JobRecord[]>();
  const moved = await models.history
    .find({ record: { $in: jobs.map(({ _id }) => _id) } })
    .lean<(HistoryEntry & { record: JobRecord['_id'] })[]>();
  const movedOf = new Map<string, HistoryEntry[]>();
  for (const { record, ...entry } of moved) {
    const key = record.toHexString();
    movedOf.set(key, [...(movedOf.get(key) ?? []), entry]);
  }
  return jobs.map((job) => {
    const byVersion = new Map<number, HistoryEntry>();
    for (const entry of [...(movedOf.get(job._id.toHexString()) ?? []), ...job.pendingHistory]) {
      const known = byVersion.get(entry.version);
      // An entry that is being moved is in both places.
      if (known) expect(known.changes).toEqual(entry.changes);
      byVersion.set(entry.version, entry);
    }
    const entries = [...byVersion.values()].sort((one, other) => one.version - other.version);
    expect(entries.map(({ version }) => version)).toEqual(
      Array.from({ length: job.version - 1 }, (_, i) => i + 2),
    );
    return { job, entries };
  });
}

/** Asserts that each change of the field starts from the previous value, and that the last change set the stored value. */
export function expectChain({ job, entries }: Account, field: 'salary' | 'state'): void {
  const changes = entries.flatMap((entry) => entry.changes.filter((change) => change.field === field));
  changes.slice(1).forEach((change, index) => expect(change.before).toBe(changes[index]?.after));
  const last = changes.at(-1);
  if (last) expect(job[field]).toBe(last.after);
}

export async function expectIndexesIntact(models: Models): Promise<void> {
  const names = (await models.jobs.listIndexes()).map(({ name }: { name: string }) => name);
  expect(names).toEqual(expect.arrayContaining(['_id_', 'publicId_1', 'expires_at_of_published']));
  const all = await models.jobs
    .find({}, { publicId: 1, state: 1, expiresAt: 1 })
    .sort({ _id: 1 })
    .lean<JobRecord[]>();
  for (const { _id, publicId } of all.slice(0, 100)) {
    const found = await models.jobs.find({ publicId }).lean<JobRecord[]>();
    expect(found.map((job) => job._id)).toEqual([_id]);
  }
  const published = all.filter(({ state, expiresAt }) => state === 'published' && expiresAt);
  expect(await models.jobs.countDocuments({ state: 'published', expiresAt: { $gte: new Date(0) } })).toBe(
    published.length,
  );
  await expect(models.jobs.collection.insertOne({ publicId: all[0]?.publicId })).rejects.toMatchObject({
    code: 11_000,
  });
}
