import { runTokenCommand } from '../access/token-command.js';

const { stdout, stderr, exitCode } = await runTokenCommand(process.argv.slice(2));
if (stdout) console.log(stdout);
if (stderr) console.error(stderr);
process.exitCode = exitCode;
