import { InMemoryCache } from '@apollo/client';

const cache = new InMemoryCache();

/** Adds `__typename`, as Apollo Client does before it sends a document: the hash must match the sent text. */
export const transform = ({ documents }) =>
  documents.map((file) => ({ ...file, document: cache.transformDocument(file.document) }));
