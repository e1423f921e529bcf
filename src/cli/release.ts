import { runReleaseCommand } from '../release/release-command.js';
import { endWith } from './command.js';

await endWith(() => runReleaseCommand(process.argv.slice(2), new URL('../../', import.meta.url)));
