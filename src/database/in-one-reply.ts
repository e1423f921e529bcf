import { type Schema } from 'mongoose';

/** Puts all results into the first reply, up to 16 MB: some servers lose the cursor before the driver asks for the rest. */
export const inOneReply = { batchSize: 2 ** 31 - 1 } as const;

/** Mongoose plugin: sets {@link inOneReply} for every `find` without its own batch size. */
export function askInOneReply(schema: Schema): void {
  schema.pre('find', function () {
    this.setOptions({ ...inOneReply, ...this.getOptions() });
  });
}
