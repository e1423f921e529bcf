import { type Schema } from 'mongoose';

/** Puts all results into the first reply, up to 16 MB: some servers lose the cursor before the driver asks for the rest. */
export const allInOneBatch = { batchSize: 2 ** 31 - 1 } as const;

/** Mongoose plugin: sets {@link allInOneBatch} for every `find` without its own batch size. */
export function askAllInOneBatch(schema: Schema): void {
  schema.pre('find', function () {
    this.setOptions({ ...allInOneBatch, ...this.getOptions() });
  });
}
