import { type AnyDocumented, askedAlone, shownFields } from './documented.js';
import { documentedCompany, documentedJob, documentedReference } from './envelope.js';

const indented = (lines: readonly string[]): string[] => lines.map((line) => `  ${line}`);

interface Selected {
  field: string;
  below?: readonly string[] | undefined;
}

const selection = (fields: readonly Selected[]): string[] =>
  fields.flatMap(({ field, below }) => (below ? [`${field} {`, ...indented(below), '}'] : [field]));

/** The selection of what a record points to, as far as the documented reply shows it. References share one fragment. */
const documentedFields = (documented: AnyDocumented): string[] =>
  documented === documentedReference
    ? ['...ReferenceFields']
    : selection(
        shownFields(documented).map(({ field, fields }) => ({
          field,
          below: fields && documentedFields(fields),
        })),
      );

const fragment = (type: string, fields: readonly string[]): string[] => [
  '',
  `fragment ${type}Fields on ${type} {`,
  ...indented(fields),
  '}',
];

const referenceFragment = fragment(
  'Reference',
  shownFields(documentedReference).map(({ field }) => field),
);

/** Everything of a record that needs no more authority than the rest. */
const recordFragment = (type: string, documented: AnyDocumented): string[] =>
  fragment(
    type,
    selection(
      Object.entries(documented).flatMap(([field, shown]) =>
        shown === askedAlone ? [] : [{ field, below: shown.fields && documentedFields(shown.fields) }],
      ),
    ),
  );

const fragments = {
  Company: recordFragment('Company', documentedCompany),
  Job: [...recordFragment('Job', documentedJob), ...referenceFragment],
};

type RecordType = keyof typeof fragments;

/** An update asks for the same as a read, so that a client may use the answer of either. */
const update = (type: RecordType): string[] => [
  `mutation Update${type}(`,
  `  $input: Update${type}Input!`,
  '  $expectedVersion: Int',
  '  $idempotencyKey: String',
  '  $dryRun: Boolean! = false',
  ') {',
  `  update${type}(`,
  '    input: $input',
  '    expectedVersion: $expectedVersion',
  '    idempotencyKey: $idempotencyKey',
  '    dryRun: $dryRun',
  '  ) {',
  `    ${type.toLowerCase()} {`,
  `      ...${type}Fields`,
  '    }',
  '    warnings {',
  '      code',
  '      field',
  '      message',
  '    }',
  '  }',
  '}',
  ...fragments[type],
];

const read = (type: RecordType, operation: string, field: string): string[] => [
  `query ${operation} {`,
  `  ${field} {`,
  `    ...${type}Fields`,
  '  }',
  '}',
  ...fragments[type],
];

/** The named operations on one whole record, by file. The tables of documented fields say what they ask for. */
export const namedOperations: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    'update-company': update('Company'),
    'update-job': update('Job'),
    company: read(
      'Company',
      'Company($mediaPublicId: String!, $publicId: String!)',
      'company(mediaPublicId: $mediaPublicId, publicId: $publicId)',
    ),
    job: read('Job', 'Job($publicId: String!)', 'job(publicId: $publicId)'),
  }).map(([name, lines]) => [`schema/operations/${name}.graphql`, `${lines.join('\n')}\n`]),
);
