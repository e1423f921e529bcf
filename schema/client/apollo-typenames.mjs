import { InMemoryCache } from '@apollo/client';

const cache = new InMemoryCache();

/** Adds `__typename` as Apollo Client's cache does before it sends a document. Without it, the hash would differ. */
export const transform = ({ documents }) =>
  documents.map((file) => ({ ...file, document: cache.transformDocument(file.document) }));
