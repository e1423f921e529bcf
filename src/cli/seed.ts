import { runSeedCommand } from '../demo/seed-command.js';
import { endWith } from './command.js';

await endWith(runSeedCommand);
