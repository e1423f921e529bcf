import { runTokenCommand } from '../access/token-command.js';
import { endWith } from './command.js';

await endWith(runTokenCommand);
