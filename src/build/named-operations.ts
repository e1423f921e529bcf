import { astFromValue, type GraphQLSchema, print } from 'graphql';
import { change } from '../change/change.graphql.js';
import { company } from '../company/company-fields.rules.js';
import { type ObjectType } from '../fields/row.rules.js';
import { jobCount } from '../job/job-list.graphql.js';
import { job } from '../job/job-fields.rules.js';
import {
  type DocumentedField,
  documentedFields,
  ofMutations,
  type Operation,
  operations,
  type WrittenRecord,
} from '../operations.js';
import { reference } from '../reference/reference.rules.js';
import { capitalised, documentedReplies, type Reply, rootField } from '../rest/envelope.js';
import { operationFile } from '../rest/run-operation.js';

const recordFields = (reply: Reply, { fields }: ObjectType): string => {
  const asked = Object.entries(fields).flatMap(([field, { rest, of, for: operation, isLong }]) => {
    // A node that belongs to a record is read only if it is asked for.
    if (rest === undefined || operation || of?.isNode || (isLong && reply === 'list')) return [];
    if (of === reference) return `${field} { ...ReferenceFields }`;
    return of ? `${field} ${recordFields(reply, of)}` : field;
  });
  return `{ ${asked.join(' ')} }`;
};

/** With the id, by which caches know a reference. */
const referenceFields = documentedReplies.references.keys.map(({ field }) => field);

/** Only callers with the right to update the record can read these fields. */
const updatersFields = ({ fields }: ObjectType, directive = ''): string =>
  Object.entries(fields)
    .filter(([, row]) => row.for && operations[row.for].kind === 'mutation')
    .map(([field]) => `${field} ${directive}`)
    .join(' ');

/** Each fragment spreads only fragments below it. */
const fragments = {
  CompanyFields: `on Company ${recordFields('read', company)}`,
  JobFields: `on Job ${recordFields('read', job)}`,
  ListedJobFields: `on Job ${recordFields('list', job)}`,
  ReferenceFields: `on Reference { ${referenceFields.join(' ')} }`,
};

const warnings = 'warnings { code field message }';

/** An update queries all fields of a read, or a client cache would combine the new version with old values, and save them. */
const updated: Record<WrittenRecord, string> = {
  company: `{ company { ...CompanyFields ${updatersFields(company)} } ${warnings} }`,
  job: `{ job { ...JobFields ${updatersFields(job)} } ${warnings} }`,
};

const asked: Record<DocumentedField, string> = {
  ...ofMutations((field) => updated[operations[field].record]),
  company: '{ ...CompanyFields }',
  job: '{ ...JobFields }',
  jobs: `{ edges { cursor node { ...ListedJobFields } } pageInfo { startCursor endCursor hasPreviousPage hasNextPage }
    totalCount @include(if: $withTotalCount) }`,
  jobCounts: recordFields('read', jobCount),
  changes: `{ edges { node ${recordFields('read', change)} } pageInfo { endCursor hasNextPage } }`,
  references: recordFields('read', reference),
};

/** Variables that the field does not take as arguments. */
const switches: Partial<Record<DocumentedField, string>> = { jobs: '$withTotalCount: Boolean! = false' };

/** Reads a record and the choices of its references, for a form, in one operation. */
const companyForm = `query CompanyForm($mediaPublicId: String!, $publicId: String!) {
  company(mediaPublicId: $mediaPublicId, publicId: $publicId) { ...CompanyFields }
  sectors: references(kind: sector) { ...ReferenceFields }
  sizes: references(kind: size) { ...ReferenceFields }
}`;

const jobForm = `query JobForm($publicId: String!, $withEmails: Boolean! = true) {
  job(publicId: $publicId) { ...JobFields ${updatersFields(job, '@include(if: $withEmails)')} }
  contracts: references(kind: contract) { ...ReferenceFields }
  educations: references(kind: education) { ...ReferenceFields }
  experiences: references(kind: experience) { ...ReferenceFields }
  jobCategories: references(kind: job_category) { ...ReferenceFields }
  remotePolicies: references(kind: remote) { ...ReferenceFields }
  worktimes: references(kind: worktime) { ...ReferenceFields }
}`;

export function namedOperations(schema: GraphQLSchema): Readonly<Record<string, string>> {
  const operationOf = (field: DocumentedField): string => {
    const { kind }: Operation = operations[field];
    const args = [...rootField(schema, field).args].sort((one, other) => one.name.localeCompare(other.name));
    const taken = args.map(({ name, type, defaultValue }) => {
      const standard = astFromValue(defaultValue, type);
      return `$${name}: ${type.toString()}${standard ? ` = ${print(standard)}` : ''}`;
    });
    const passed = args.map(({ name }) => `${name}: $${name}`);
    return `${kind} ${capitalised(field)}(${[...taken, switches[field] ?? ''].join(' ')}) {
  ${field}(${passed.join(', ')}) ${asked[field]}
}`;
  };
  return {
    ...Object.fromEntries(
      documentedFields.map((field) => [operationFile(field), withFragments(operationOf(field))]),
    ),
    'schema/operations/company-form.graphql': withFragments(companyForm),
    'schema/operations/job-form.graphql': withFragments(jobForm),
  };
}

const withFragments = (operation: string): string =>
  Object.entries(fragments).reduce(
    (document, [name, fragment]) =>
      document.includes(`...${name} `) ? `${document}\n\nfragment ${name} ${fragment}` : document,
    operation,
  );
