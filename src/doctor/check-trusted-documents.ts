import { buildSchema } from '../graphql/schema.js';
import { readTrustedDocuments } from '../graphql/trusted/trusted-documents.js';
import { type Settings } from '../settings.js';
import { about, type Finding } from './finding.js';

/** Checks that every trusted document fits the schema, where there are any. @throws TrustedDocumentsError where one does not */
export async function checkTrustedDocuments(settings: Settings): Promise<Finding[]> {
  if (settings.trustedDocuments === undefined) return [];
  const { size } = await readTrustedDocuments(settings, buildSchema());
  return [about('trusted').ok(`${size} documents of ${settings.trustedDocuments} fit the schema`)];
}
