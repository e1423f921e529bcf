import { readFileSync } from 'node:fs';
import { contractFaults, readContract } from '../release/check-contract.js';
import { endWith } from './command.js';

const root = new URL('../../', import.meta.url);
const read = (file: string): string => readFileSync(new URL(file, root), 'utf8');

const { version } = JSON.parse(read('package.json')) as { version: string };
const faults = contractFaults(readContract(root, 'schema/released/'), readContract(root, 'schema/'), {
  version,
  changeLog: read('CHANGELOG.md'),
});
await endWith(import.meta, async () => ({
  stdout: '',
  stderr: faults.join('\n'),
  exitCode: Number(faults.length > 0),
}));
