import { importCommand } from '../exchange/import-command.js';
import { endWith } from './command.js';

await endWith(importCommand(process));
