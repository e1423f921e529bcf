// Emitted from the table of operations by npm run emit.

/** The quota bucket that each mutation spends, and that its dry run spends (Contract 8.2.1, 8.2.7). */
export const mutationBuckets: Readonly<Partial<Record<string, { call: string; dryRun: string }>>> = {
  updateCompany: { call: 'mutation', dryRun: 'mutation' },
  updateJob: { call: 'updateJob', dryRun: 'read' },
};
