import { type Error } from 'mongoose';

/** The paths of the fields that fail the Mongoose document's validation, sorted. */
export const refusedPaths = (document: { validate(): Promise<void> }): Promise<string[]> =>
  document.validate().then(
    () => [],
    ({ errors }: Error.ValidationError) => Object.keys(errors).sort(),
  );
