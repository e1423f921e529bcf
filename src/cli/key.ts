import { runKeyCommand } from '../access/key-command.js';
import { endWith } from './command.js';

endWith(await runKeyCommand(process.argv.slice(2)));
