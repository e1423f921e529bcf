import { type Schema } from 'mongoose';

/**
 * Puts all results into the first reply, which may have 16 MB. By default the first reply has at most 101 documents, and
 * some servers lose the cursor before the driver asks for the rest.
 */
export const inOneReply = { batchSize: 2 ** 31 - 1 } as const;

/** Mongoose plugin: every `find` gets all results in one reply, unless the query sets its own batch size. */
export function askInOneReply(schema: Schema): void {
  schema.pre('find', function () {
    this.setOptions({ ...inOneReply, ...this.getOptions() });
  });
}
