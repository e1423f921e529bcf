import { runExportCommand } from '../exchange/export-command.js';
import { endWith } from './command.js';

// Where it cannot be written, the process ends.
const write = (text: string) => new Promise<void>((resolve) => process.stdout.write(text, () => resolve()));
await endWith(() => runExportCommand(process.argv.slice(2), { write, stderr: process.stderr }));
