import { type Schema } from 'mongoose';

/** Puts all results into the first reply, up to 16 MB: some servers lose the cursor before the driver asks for the rest. */
export const singleBatch = { batchSize: 2 ** 31 - 1 } as const;

/** Mongoose plugin: sets {@link singleBatch} for every `find` without its own batch size. */
export function askSingleBatch(schema: Schema): void {
  schema.pre('find', function () {
    this.setOptions({ ...singleBatch, ...this.getOptions() });
  });
}
