import { runReleaseCommand } from '../release/release-command.js';
import { endWith } from './command.js';

endWith(await runReleaseCommand(process.argv.slice(2), new URL('../../', import.meta.url)));
