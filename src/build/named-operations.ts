import {
  astFromValue,
  getNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  isObjectType,
  print,
} from 'graphql';
import { changeRows } from '../change/change.graphql.js';
import { companyRows } from '../company/company-fields.rules.js';
import { type Rows } from '../fields/row.rules.js';
import { jobCountRows } from '../job/job-list.graphql.js';
import { jobRows } from '../job/job-fields.rules.js';
import {
  type DocumentedField,
  documentedFields,
  ofMutations,
  type Operation,
  operations,
  type RootFieldName,
  type WrittenRecord,
} from '../operations.js';
import { referenceRows } from '../reference/reference.rules.js';
import { capitalised, documentedReplies, objectType, type Reply, rootField } from '../rest/envelope.js';
import { operationFile } from '../rest/prepare-operation.js';

/** The operation that a caller needs the right to, for fields that need more than their record. */
const needed = ({ extensions }: { extensions: { for?: RootFieldName } }) => extensions.for;

function recordFields(reply: Reply, type: GraphQLObjectType, rows: Rows): string {
  const definitions = type.getFields();
  const asked = Object.entries(rows).flatMap(([field, { rest, of, isLong }]) => {
    const definition = definitions[field]!;
    const below = getNamedType(definition.type);
    // A node that belongs to a record is read only if it is asked for.
    const isNode = isObjectType(below) && below.getInterfaces().length > 0;
    if (rest === undefined || needed(definition) || isNode || (isLong && reply === 'list')) return [];
    if (of === referenceRows) return `${field} { ...ReferenceFields }`;
    return of ? `${field} ${recordFields(reply, below as GraphQLObjectType, of)}` : field;
  });
  return `{ ${asked.join(' ')} }`;
}

/** With the id, by which caches know a reference. */
const referenceFields = documentedReplies.references.keys.map(({ field }) => field);

/** Only callers with the right to update the record can read these fields. */
const updatersFields = (type: GraphQLObjectType, directive = ''): string =>
  Object.values(type.getFields())
    .filter((field) => operations[needed(field) ?? 'viewer'].type === 'mutation')
    .map(({ name }) => `${name} ${directive}`)
    .join(' ');

const warnings = 'warnings { code field message }';

/** Variables that the field does not take as arguments. */
const switches: Partial<Record<DocumentedField, string>> = { jobs: '$withTotalCount: Boolean! = false' };

/** Each reads a record, if there is one, and the choices of its references, for a form, in one operation. */
const companyForm = `query CompanyForm($mediaPublicId: String!, $publicId: String!) {
  company(mediaPublicId: $mediaPublicId, publicId: $publicId) { ...CompanyFields }
  sectors: references(kind: sector) { ...ReferenceFields }
  sizes: references(kind: size) { ...ReferenceFields }
}`;

const jobChoices = `contracts: references(kind: contract) { ...ReferenceFields }
  educations: references(kind: education) { ...ReferenceFields }
  experiences: references(kind: experience) { ...ReferenceFields }
  jobCategories: references(kind: job_category) { ...ReferenceFields }
  remotePolicies: references(kind: remote) { ...ReferenceFields }
  worktimes: references(kind: worktime) { ...ReferenceFields }`;

const jobForm = (emails: string) => `query JobForm($publicId: String!, $withEmails: Boolean! = true) {
  job(publicId: $publicId) { ...JobFields ${emails} }
  ${jobChoices}
}`;

const newJobForm = `query NewJobForm($mediaPublicId: String!, $withCompanies: Boolean! = true) {
  companies(mediaPublicId: $mediaPublicId, filter: { isPublished: true }, first: 100) @include(if: $withCompanies) {
    edges { node { id publicId name } }
    pageInfo { hasNextPage }
  }
  ${jobChoices}
}`;

export function namedOperations(schema: GraphQLSchema): Readonly<Record<string, string>> {
  const company = objectType(schema, 'Company');
  const job = objectType(schema, 'Job');
  const shown = (name: string, rows: Rows) => recordFields('read', objectType(schema, name), rows);
  /** Each spreads only fragments below it. */
  const fragments = {
    CompanyFields: `on Company ${recordFields('read', company, companyRows)}`,
    JobFields: `on Job ${recordFields('read', job, jobRows)}`,
    ListedJobFields: `on Job ${recordFields('list', job, jobRows)}`,
    ReferenceFields: `on Reference { ${referenceFields.join(' ')} }`,
  };
  /** A mutation queries all fields of a read, or a client cache would combine the new version with old values, and save them. */
  const written: Record<WrittenRecord, string> = {
    company: `{ company { ...CompanyFields ${updatersFields(company)} } ${warnings} }`,
    job: `{ job { ...JobFields ${updatersFields(job)} } ${warnings} }`,
  };
  const asked: Record<DocumentedField, string> = {
    ...ofMutations((field) => written[operations[field].record]),
    company: '{ ...CompanyFields }',
    job: '{ ...JobFields }',
    jobs: `{ edges { cursor node { ...ListedJobFields } } pageInfo { startCursor endCursor hasPreviousPage hasNextPage }
    totalCount @include(if: $withTotalCount) }`,
    jobCounts: shown('JobCount', jobCountRows),
    changes: `{ edges { node ${shown('Change', changeRows)} } pageInfo { endCursor hasNextPage } }`,
    references: shown('Reference', referenceRows),
  };
  const operationOf = (field: DocumentedField): string => {
    const { type }: Operation = operations[field];
    const args = [...rootField(schema, field).args].sort((one, other) => one.name.localeCompare(other.name));
    const taken = args.map(({ name, type, defaultValue }) => {
      const standard = astFromValue(defaultValue, type);
      return `$${name}: ${type.toString()}${standard ? ` = ${print(standard)}` : ''}`;
    });
    const passed = args.map(({ name }) => `${name}: $${name}`);
    return `${type} ${capitalised(field)}(${[...taken, switches[field] ?? ''].join(' ')}) {
  ${field}(${passed.join(', ')}) ${asked[field]}
}`;
  };
  const withFragments = (operation: string): string =>
    Object.entries(fragments).reduce(
      (document, [name, fragment]) =>
        document.includes(`...${name} `) ? `${document}\n\nfragment ${name} ${fragment}` : document,
      operation,
    );
  return {
    ...Object.fromEntries(
      documentedFields.map((field) => [operationFile(field), withFragments(operationOf(field))]),
    ),
    'schema/operations/company-form.graphql': withFragments(companyForm),
    'schema/operations/job-form.graphql': withFragments(
      jobForm(updatersFields(job, '@include(if: $withEmails)')),
    ),
    'schema/operations/new-job-form.graphql': withFragments(newJobForm),
  };
}
