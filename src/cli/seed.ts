import { runSeedCommand } from '../demo/seed-command.js';

const { stdout, stderr, exitCode } = await runSeedCommand();
if (stdout) console.log(stdout);
if (stderr) console.error(stderr);
process.exitCode = exitCode;
