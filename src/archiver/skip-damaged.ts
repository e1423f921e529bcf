import { toDomainError } from '../errors/mask-error.js';
import { type TaskRun } from './task.js';

/**
 * Works on all the records at once and, where that fails, on halves of them, so that only those are skipped that fail alone.
 * @param work safe to repeat for records that it has processed
 * @returns the records that were skipped
 * @throws what the work fails with on no records, too, or while the database is away: then no record is the cause
 */
export async function skipDamaged<R extends { publicId: string }>(
  kind: string,
  records: readonly R[],
  work: (records: readonly R[]) => Promise<void>,
  { skip }: Pick<TaskRun, 'skip'>,
): Promise<R[]> {
  try {
    await work(records);
    return [];
  } catch (error) {
    const [first, ...others] = records;
    if (!first || toDomainError(error).code === 'service-unavailable') throw error;
    if (others.length === 0) {
      await work([]);
      skip(kind, first.publicId, error as Error);
      return [first];
    }
    const middle = records.length >> 1;
    const skipped = await skipDamaged(kind, records.slice(0, middle), work, { skip });
    return [...skipped, ...(await skipDamaged(kind, records.slice(middle), work, { skip }))];
  }
}
