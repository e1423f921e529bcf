import { astFromValue, type GraphQLSchema, print } from 'graphql';
import { operationFile } from '../rest/run-operation.js';
import { type DocumentedField, documentedFields, type Operation, operations } from '../operations.js';
import {
  type AnyDocumented,
  askedAlone,
  capitalised,
  leftOut,
  rootField,
  shownFields,
} from '../rest/documented.js';
import {
  documentedChange,
  documentedCompany,
  documentedJob,
  documentedReference,
  listedJob,
  listedReference,
} from '../rest/envelope.js';

const recordFields = (documented: AnyDocumented): string => {
  if (documented === documentedReference) return '{ ...ReferenceFields }';
  const asked = Object.entries(documented).flatMap(([field, shown]) => {
    if (shown === askedAlone || shown === leftOut) return [];
    return shown.fields ? `${field} ${recordFields(shown.fields)}` : field;
  });
  return `{ ${asked.join(' ')} }`;
};

const referenceFields = shownFields(documentedReference).map(({ field }) => field);

/** Only callers with the right to update the record can read these fields (Contract 5.8). */
const updatersFields = (documented: AnyDocumented): string =>
  Object.keys(documented)
    .filter((field) => documented[field] === askedAlone)
    .join(' ');

/** Each fragment spreads only fragments below it. */
const fragments = {
  CompanyFields: `on Company ${recordFields(documentedCompany)}`,
  JobFields: `on Job ${recordFields(documentedJob)}`,
  ListedJobFields: `on Job ${recordFields(listedJob)}`,
  ReferenceFields: `on Reference { ${referenceFields.join(' ')} }`,
};

const warnings = 'warnings { code field message }';

/**
 * An update queries at least the fields of a read of one record. Otherwise a client cache would combine the new version with old
 * values, and a save with that version would restore the old values.
 */
const asked: Record<DocumentedField, string> = {
  company: '{ ...CompanyFields }',
  updateCompany: `{ company { ...CompanyFields ${updatersFields(documentedCompany)} } ${warnings} }`,
  job: '{ ...JobFields }',
  jobs: '{ edges { cursor node { ...ListedJobFields } } pageInfo { startCursor endCursor hasPreviousPage hasNextPage } }',
  changes: `{ edges { node ${recordFields(documentedChange)} } pageInfo { endCursor hasNextPage } }`,
  updateJob: `{ job { ...JobFields ${updatersFields(documentedJob)} } ${warnings} }`,
  references: recordFields(listedReference),
};

export function namedOperations(schema: GraphQLSchema): Readonly<Record<string, string>> {
  const operationOf = (field: DocumentedField): string => {
    const { kind }: Operation = operations[field];
    const args = [...rootField(schema, field).args].sort((one, other) => one.name.localeCompare(other.name));
    const taken = args.map(({ name, type, defaultValue }) => {
      const standard = astFromValue(defaultValue, type);
      return `$${name}: ${type.toString()}${standard ? ` = ${print(standard)}` : ''}`;
    });
    const given = args.map(({ name }) => `${name}: $${name}`);
    let document = `${kind} ${capitalised(field)}(${taken.join(', ')}) {
  ${field}(${given.join(', ')}) ${asked[field]}
}`;
    for (const [name, fragment] of Object.entries(fragments))
      if (document.includes(`...${name} `)) document += `\n\nfragment ${name} ${fragment}`;
    return document;
  };
  return Object.fromEntries(documentedFields.map((field) => [operationFile(field), operationOf(field)]));
}
