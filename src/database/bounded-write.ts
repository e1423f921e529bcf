/**
 * Options of a write: the database aborts the write after 4.5 s. The list of changes ends 5 s before now, so a slow write
 * can't appear behind the cursor of a follower (Contract 4.6.3).
 */
export const boundedWrite = { maxTimeMS: 4_500 } as const;
