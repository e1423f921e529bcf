import { type AnyDocumented, askedAlone, shownFields } from './documented.js';
import { documentedReference, documentedTypes } from './envelope.js';

/** Everything of a record, or of an object in it, that needs no more authority than the rest. References share one fragment. */
const recordFields = (documented: AnyDocumented): string => {
  if (documented === documentedReference) return '{ ...ReferenceFields }';
  const asked = Object.entries(documented).flatMap(([field, shown]) => {
    if (shown === askedAlone) return [];
    return shown.fields ? `${field} ${recordFields(shown.fields)}` : field;
  });
  return `{ ${asked.join(' ')} }`;
};

/** Of a reference, what the documented reply shows. */
const referenceFields = shownFields(documentedReference).map(({ field }) => field);

/** The rest of a record, which may be seen by whoever may update it (Contract 5.8). */
const updatersFields = (documented: AnyDocumented): string =>
  Object.keys(documented)
    .filter((field) => documented[field] === askedAlone)
    .join(' ');

const fragments = {
  Company: `fragment CompanyFields on Company ${recordFields(documentedTypes.Company)}`,
  Job: `fragment JobFields on Job ${recordFields(documentedTypes.Job)}

fragment ReferenceFields on Reference { ${referenceFields.join(' ')} }`,
};

/**
 * An update asks for all that reads do. If a field were left out, a cache would show its old value beside the new version, and a
 * save guarded by that version would put it back.
 */
const update = (type: keyof typeof fragments): string => `
mutation Update${type}(
  $input: Update${type}Input!, $expectedVersion: Int, $idempotencyKey: String, $dryRun: Boolean! = false
) {
  update${type}(input: $input, expectedVersion: $expectedVersion, idempotencyKey: $idempotencyKey, dryRun: $dryRun) {
    ${type.toLowerCase()} { ...${type}Fields ${updatersFields(documentedTypes[type])} }
    warnings { code field message }
  }
}

${fragments[type]}`;

/** The named operations on one whole record, by file. The tables of documented fields say what they ask for. */
export const namedOperations: Readonly<Record<string, string>> = {
  'schema/operations/update-company.graphql': update('Company'),
  'schema/operations/update-job.graphql': update('Job'),
  'schema/operations/company.graphql': `
query Company($mediaPublicId: String!, $publicId: String!) {
  company(mediaPublicId: $mediaPublicId, publicId: $publicId) { ...CompanyFields }
}

${fragments.Company}`,
  'schema/operations/job.graphql': `
query Job($publicId: String!) {
  job(publicId: $publicId) { ...JobFields }
}

${fragments.Job}`,
};
