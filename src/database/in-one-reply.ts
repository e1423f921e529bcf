import { type Schema } from 'mongoose';

/**
 * Has the first reply hold all that is found, up to the 16 MB of a reply. By default it holds 101 documents, and some servers
 * have lost the cursor by the time that the rest is asked for.
 */
export const inOneReply = { batchSize: 2 ** 31 - 1 } as const;

/** A plugin: all that models look for comes in one reply, unless the query says how much a reply is to hold. */
export function askInOneReply(schema: Schema): void {
  schema.pre('find', function () {
    this.setOptions({ ...inOneReply, ...this.getOptions() });
  });
}
