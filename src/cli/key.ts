import { runKeyCommand } from '../access/key-command.js';
import { endWith } from './command.js';

await endWith(runKeyCommand);
