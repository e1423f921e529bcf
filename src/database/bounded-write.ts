/** Aborts the write after 4.5 s: `changes` leaves out only the last 5 s, and would miss a write that appears later (Contract 4.6.3). */
export const boundedWrite = { maxTimeMS: 4_500 } as const;
