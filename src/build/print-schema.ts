import { readFileSync, writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { errorCodes, faultReasons } from '../errors/catalogue.js';
import { unauthorizedReasons } from '../errors/unauthorized-reason.js';
import { buildSchema, printSdl } from '../graphql/schema.js';
import { enumName } from '../fields/field.graphql.js';
import { recordsSchema } from '../exchange/line-format.js';
import { formTables } from './form-tables.js';
import { namedOperations } from './named-operations.js';
import { printOpenApi } from '../rest/openapi.js';
import { withCalls, withTables } from './handbook-tables.js';
import { typedDocuments } from './typed-documents.js';

const root = new URL('../../', import.meta.url);
const read = (file: string): string => readFileSync(new URL(file, root), 'utf8');

const readJson = (file: string): Record<string, unknown> => JSON.parse(read(file)) as Record<string, unknown>;

const isCheck = process.argv.includes('--check');

function emit(files: Readonly<Record<string, string>>): void {
  for (const [file, text] of Object.entries(files)) {
    if (!isCheck) writeFileSync(new URL(file, root), text);
    else if (read(file) !== text) {
      console.error(`${file} differs from what the code emits; run npm run emit`);
      process.exitCode = 1;
    }
  }
}

function printClientPackage(): string {
  const { name, version } = readJson('package.json');
  const own = { ...readJson('schema/client/package.json'), name: `${String(name)}-client`, version };
  return `${JSON.stringify(own, null, 2)}\n`;
}

const unionOf = (reasons: object): string =>
  Object.keys(reasons)
    .map((reason) => `'${reason}'`)
    .join(' | ');

const printClientErrorCodes = (): string => `// Emitted from the catalogue by npm run emit.

/** The error codes of replies, by their names in the schema. */
export const wireCodes = {
${errorCodes.map((code) => `  ${enumName(code)}: '${code}',`).join('\n')}
} as const;

/** A code in \`extensions.error\`, or in \`error\` over REST. */
export type WireCode = (typeof wireCodes)[keyof typeof wireCodes];

/** What is wrong with a field. */
export type FaultReason = ${unionOf(faultReasons)};

/** Why a caller lacks authority. */
export type UnauthorizedReason = ${unionOf(unauthorizedReasons)};
`;

const formatted = {
  ...namedOperations(buildSchema()),
  ...formTables(),
  'schema/client/src/error-codes.ts': printClientErrorCodes(),
  'schema/contract.md': withCalls(read('schema/contract.md')),
};
for (const [file, text] of Object.entries(formatted)) {
  const config = await resolveConfig(new URL(file, root));
  emit({ [file]: await format(text, { ...config, filepath: file }) });
}
emit({
  'schema/schema.graphql': printSdl(),
  'schema/openapi.json': printOpenApi(),
  'schema/records.schema.json': JSON.stringify(recordsSchema(), null, 2) + '\n',
  'schema/client/package.json': printClientPackage(),
  'schema/client/LICENSE': read('LICENSE'),
  'deploy/README.md': withTables(read('deploy/README.md')),
});
emit(await typedDocuments(root));
