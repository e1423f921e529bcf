import { InMemoryCache } from '@apollo/client';

const cache = new InMemoryCache();

/** Adds `__typename` where Apollo Client's cache does before it sends a document: any other text has another hash. */
export const transform = ({ documents }) =>
  documents.map((file) => ({ ...file, document: cache.transformDocument(file.document) }));
