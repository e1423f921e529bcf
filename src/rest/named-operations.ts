import { type AnyDocumented, askedAlone, shownFields } from './documented.js';
import { documentedReference, documentedTypes } from './envelope.js';

interface Selected {
  field: string;
  fields?: AnyDocumented | undefined;
}

const selection = (selected: readonly Selected[]): string =>
  `{ ${selected.map(({ field, fields }) => (fields ? `${field} ${documentedFields(fields)}` : field)).join(' ')} }`;

/** The selection of what a record points to, as far as the documented reply shows it. References share one fragment. */
const documentedFields = (documented: AnyDocumented): string =>
  documented === documentedReference ? '{ ...ReferenceFields }' : selection(shownFields(documented));

/** Everything of a record that needs no more authority than the rest. */
const recordFields = (documented: AnyDocumented): string =>
  selection(
    Object.entries(documented).flatMap(([field, shown]) =>
      shown === askedAlone ? [] : [{ field, fields: shown.fields }],
    ),
  );

/** The rest of a record, which may be seen by whoever may update it (Contract 5.8). */
const updatersFields = (documented: AnyDocumented): string =>
  Object.keys(documented)
    .filter((field) => documented[field] === askedAlone)
    .join(' ');

const fragments = {
  Company: `fragment CompanyFields on Company ${recordFields(documentedTypes.Company)}`,
  Job: `fragment JobFields on Job ${recordFields(documentedTypes.Job)}

fragment ReferenceFields on Reference ${selection(shownFields(documentedReference).map(({ field }) => ({ field })))}`,
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
