import { runImportCommand } from '../exchange/import-command.js';

const { stdout, stderr, exitCode } = await runImportCommand(process.argv.slice(2), process);
process.exitCode = exitCode;
// Not by the console, which says nothing of an output that cannot be written.
if (stdout) process.stdout.write(`${stdout}\n`);
if (stderr) process.stderr.write(`${stderr}\n`);
