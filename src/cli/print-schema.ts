import { readFileSync, writeFileSync } from 'node:fs';
import { printSdl } from '../graphql/schema.js';

/** What is emitted from the code into `schema/`, by file. */
const emitted: Record<string, () => string> = {
  'schema/schema.graphql': printSdl,
};

const root = new URL('../../', import.meta.url);
const isCheck = process.argv.includes('--check');
for (const [file, print] of Object.entries(emitted)) {
  const url = new URL(file, root);
  const text = print();
  if (!isCheck) writeFileSync(url, text);
  else if (readFileSync(url, 'utf8') !== text) {
    console.error(`${file} differs from what the code emits; run npm run emit`);
    process.exitCode = 1;
  }
}
