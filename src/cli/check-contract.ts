import { readFileSync } from 'node:fs';
import { contractFaults } from '../release/check-contract.js';
import { endWith } from './command.js';

const root = new URL('../../', import.meta.url);
const read = (file: string): string => readFileSync(new URL(file, root), 'utf8');
const filesIn = (folder: string) => ({
  schema: read(`${folder}schema.graphql`),
  openApi: read(`${folder}openapi.json`),
});

const { version } = JSON.parse(read('package.json')) as { version: string };
const faults = contractFaults(filesIn('schema/released/'), filesIn('schema/'), {
  version,
  changeLog: read('CHANGELOG.md'),
});
endWith({ stdout: '', stderr: faults.join('\n'), exitCode: faults.length > 0 ? 1 : 0 });
