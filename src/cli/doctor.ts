import { runDoctor } from '../doctor/doctor.js';
import { command, endWith } from './command.js';

const syntax = {
  name: 'doctor',
  summary:
    'Looks at the environment that it is run in, one line a finding, and says how to mend it. Changes nothing. Exits with 1 where the gateway could not start.',
  options: {},
};

await endWith(
  import.meta,
  command(syntax, async () => {
    const { lines, exitCode } = await runDoctor();
    return { stdout: lines.join('\n'), exitCode };
  }),
);
