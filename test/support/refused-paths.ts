import { type Error } from 'mongoose';

/** The paths of a document that its model refuses, sorted. */
export const refusedPaths = (document: { validate(): Promise<void> }): Promise<string[]> =>
  document.validate().then(
    () => [],
    ({ errors }: Error.ValidationError) => Object.keys(errors).sort(),
  );
