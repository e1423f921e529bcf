import { runTokenCommand } from '../access/token-command.js';
import { endWith } from './command.js';

endWith(await runTokenCommand(process.argv.slice(2)));
