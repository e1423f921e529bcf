import { runEraseCommand } from '../exchange/erase-command.js';
import { endWith } from './command.js';

endWith(await runEraseCommand(process.argv.slice(2)));
