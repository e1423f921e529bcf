import { runSeedCommand } from '../demo/seed-command.js';
import { endWith } from './command.js';

endWith(await runSeedCommand(process.argv.slice(2)));
