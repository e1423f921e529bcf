import { readFileSync, writeFileSync } from 'node:fs';
import { printSdl } from '../graphql/schema.js';
import { recordsSchema } from '../exchange/record-format.js';
import { namedOperations } from '../rest/named-operations.js';
import { printOpenApi } from '../rest/openapi.js';
import { printClientErrorCodes } from './client-error-codes.js';
import { readProofs, printProofs } from './contract-proofs.js';
import { withTables } from './readme-tables.js';
import { printTypedOperations } from './typed-operations.js';

const root = new URL('../../', import.meta.url);
const read = (file: string): string => readFileSync(new URL(file, root), 'utf8');

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

const sdl = printSdl();
// First, since types are made of them.
emit(namedOperations);
emit({
  'schema/schema.graphql': sdl,
  'schema/openapi.json': printOpenApi(),
  'schema/records.schema.json': JSON.stringify(recordsSchema(), null, 2) + '\n',
  'schema/client/src/error-codes.ts': printClientErrorCodes(),
  ...(await printTypedOperations(root, sdl)),
  'README.md': withTables(read('README.md')),
  'schema/contract-proofs.md': printProofs(read('schema/contract.md'), readProofs(root)),
});
