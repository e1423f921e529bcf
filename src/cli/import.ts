import { runImportCommand } from '../exchange/import-command.js';

process.exitCode = await runImportCommand(process.argv.slice(2), process);
