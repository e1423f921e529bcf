import { type Error } from 'mongoose';

/** The paths of a document that its model rejects, sorted. */
export const refusedPaths = (document: { validate(): Promise<void> }): Promise<string[]> =>
  document.validate().then(
    () => [],
    ({ errors }: Error.ValidationError) => Object.keys(errors).sort(),
  );
