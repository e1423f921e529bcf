import { toDomainError } from '../database/database-errors.js';
import { type TaskRun } from './task.js';

/**
 * Processes all records at once. If that fails, processes each half, and so on. Skips a record that fails alone.
 * @param work must be safe to repeat
 * @returns the skipped records
 * @throws the error of `work` if the database is away, or if `work` fails even without records: then no record is the cause
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
