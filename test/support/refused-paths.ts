import { type Error } from 'mongoose';

/** The paths that fail the document's validation, sorted. */
export const refusedPaths = (document: { validate(): Promise<void> }): Promise<string[]> =>
  document.validate().then(
    () => [],
    ({ errors }: Error.ValidationError) => Object.keys(errors).sort(),
  );
