import { type IndexDescription, type IndexDescriptionInfo } from 'mongodb';

const namespaceNotFound = 26;

/** The indexes of a collection; null if the collection does not exist. */
export const indexesIn = (collection: {
  indexes(): Promise<IndexDescriptionInfo[]>;
}): Promise<IndexDescriptionInfo[] | null> =>
  collection.indexes().catch((error: { code?: unknown }) => {
    if (error.code === namespaceNotFound) return null;
    throw error;
  });

/** The name that a server gives to an index without one. */
export const keyName = (key: object): string => Object.entries(key).flat().join('_');

export const indexName = ({ name, key }: IndexDescription): string => name ?? keyName(key);
