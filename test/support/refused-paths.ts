import { type Error } from 'mongoose';

/** The paths that the model of a document rejects, sorted. */
export const refusedPaths = (document: { validate(): Promise<void> }): Promise<string[]> =>
  document.validate().then(
    () => [],
    ({ errors }: Error.ValidationError) => Object.keys(errors).sort(),
  );
