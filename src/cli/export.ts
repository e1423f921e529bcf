import { exportCommand } from '../exchange/export-command.js';
import { endWith } from './command.js';

// Where it cannot be written, the process ends.
const write = (text: string) => new Promise<void>((done) => process.stdout.write(text, () => done()));
await endWith(exportCommand({ write, stderr: process.stderr }));
