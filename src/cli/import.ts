import { runImportCommand } from '../exchange/import-command.js';
import { endWith } from './command.js';

await endWith(() => runImportCommand(process.argv.slice(2), process));
