/**
 * Options of a write: the database aborts it after 4.5 s. The list of changes ends 5 s before now, so no write can
 * appear behind a cursor that a follower already has (Contract 4.6.3).
 */
export const boundedWrite = { maxTimeMS: 4_500 } as const;
