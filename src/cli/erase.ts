import { runEraseCommand } from '../exchange/erase-command.js';
import { endWith } from './command.js';

await endWith(runEraseCommand);
