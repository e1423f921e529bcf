import { type AnyDocumented, askedAlone, shownFields } from './documented.js';
import { documentedCompany, documentedJob } from './envelope.js';

const indented = (lines: readonly string[]): string[] => lines.map((line) => `  ${line}`);

interface Selected {
  field: string;
  below?: readonly string[] | undefined;
}

const selection = (fields: readonly Selected[]): string[] =>
  fields.flatMap(({ field, below }) => (below ? [`${field} {`, ...indented(below), '}'] : [field]));

/** What the documented reply shows. */
const documentedFields = (documented: AnyDocumented): string[] =>
  selection(
    shownFields(documented).map(({ field, fields }) => ({
      field,
      below: fields && documentedFields(fields),
    })),
  );

/** Everything of a record that needs no more authority than the rest; of what it points to, what replies show. */
const allFields = (documented: AnyDocumented): string[] =>
  selection(
    Object.entries(documented).flatMap(([field, shown]) =>
      shown === askedAlone ? [] : [{ field, below: shown.fields && documentedFields(shown.fields) }],
    ),
  );

const update = (name: 'UpdateCompany' | 'UpdateJob', record: string, documented: AnyDocumented): string[] => [
  `mutation ${name}(`,
  `  $input: ${name}Input!`,
  '  $expectedVersion: Int',
  '  $idempotencyKey: String',
  '  $dryRun: Boolean',
  ') {',
  `  u${name.slice(1)}(`,
  '    input: $input',
  '    expectedVersion: $expectedVersion',
  '    idempotencyKey: $idempotencyKey',
  '    dryRun: $dryRun',
  '  ) {',
  ...indented(
    indented(
      selection([
        // The version is the reply's ETag.
        { field: record, below: [...documentedFields(documented), 'version'] },
        { field: 'warnings', below: ['code', 'field', 'message'] },
      ]),
    ),
  ),
  '  }',
  '}',
];

const read = (operation: string, field: string, documented: AnyDocumented): string[] => [
  `query ${operation} {`,
  `  ${field} {`,
  ...indented(indented(allFields(documented))),
  '  }',
  '}',
];

/** The named operations on one whole record, by file: what of it they ask for is in the tables of documented fields. */
export const namedOperations: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    'update-company': update('UpdateCompany', 'company', documentedCompany),
    'update-job': update('UpdateJob', 'job', documentedJob),
    company: read(
      'Company($mediaPublicId: String!, $publicId: String!)',
      'company(mediaPublicId: $mediaPublicId, publicId: $publicId)',
      documentedCompany,
    ),
    job: read('Job($publicId: String!)', 'job(publicId: $publicId)', documentedJob),
  }).map(([name, lines]) => [`schema/operations/${name}.graphql`, `${lines.join('\n')}\n`]),
);
