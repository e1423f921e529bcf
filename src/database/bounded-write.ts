/**
 * The database ends a write after so long, in milliseconds. A list of changes ends 5 s before now, so that no write appears behind
 * a cursor of it (Contract 4.6.3).
 */
export const boundedWrite = { maxTimeMS: 4_500 } as const;
