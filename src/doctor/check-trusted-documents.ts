import { buildSchema } from '../graphql/schema.js';
import { readTrustedDocuments, TrustedDocumentsError } from '../graphql/trusted/trusted-documents.js';
import { type Settings } from '../settings.js';
import { about, type Finding } from './finding.js';
import { trustedFaults } from './start-fault.js';

/** Checks that every trusted document fits the schema, where there are any. */
export async function checkTrustedDocuments(settings: Settings): Promise<Finding[]> {
  if (settings.trustedDocuments === undefined) return [];
  try {
    const { size } = await readTrustedDocuments(settings, buildSchema());
    return [about('trusted').ok(`${size} documents of ${settings.trustedDocuments} fit the schema`)];
  } catch (error) {
    if (error instanceof TrustedDocumentsError) return trustedFaults(error);
    throw error;
  }
}
