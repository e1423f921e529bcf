import { afterAll } from '@jest/globals';
import { getMetadataStorage } from 'type-graphql';

const storage = getMetadataStorage();

export const fieldsOf = (owner: object, name: string) =>
  storage.fields.filter((field) => field.target === owner && field.name === name);
export const queriesNamed = (name: string) => storage.queries.filter(({ schemaName }) => schemaName === name);
export const mutationsNamed = (name: string) =>
  storage.mutations.filter(({ schemaName }) => schemaName === name);

/** Nothing in the contract is deprecated yet. Deprecates one part of each schema that is built from now on, for the tests of this file. */
export function deprecate(parts: { deprecationReason?: string | undefined }[], reason: string): void {
  const [part] = parts;
  if (!part || parts.length > 1) throw new Error(`${parts.length} parts where there should be one`);
  part.deprecationReason = reason;
  // The next test file in this process uses the same metadata.
  afterAll(() => void (part.deprecationReason = undefined));
}
