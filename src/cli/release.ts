import { releaseCommand } from '../release/release-command.js';
import { endWith } from './command.js';

await endWith(releaseCommand(new URL('../../', import.meta.url)));
