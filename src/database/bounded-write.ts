/**
 * The database aborts the write after 4.5 s. The list of changes leaves out the last 5 s, so a slow write can't appear behind a client's
 * cursor (Contract 4.6.3).
 */
export const boundedWrite = { maxTimeMS: 4_500 } as const;
