import { runDoctor } from '../doctor/doctor.js';
import { command, endWith } from './command.js';

const syntax = {
  name: 'doctor',
  summary:
    'Checks the environment that it runs in. Prints one line per finding, and how to fix what is wrong. Changes nothing. Exits with 1 if the gateway could not start.',
  options: {},
};

await endWith(
  import.meta,
  command(syntax, async () => {
    const { lines, exitCode } = await runDoctor();
    return { stdout: lines.join('\n'), exitCode };
  }),
);
