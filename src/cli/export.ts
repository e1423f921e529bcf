import { runExportCommand } from '../exchange/export-command.js';
import { couldNotRun, endWith } from './command.js';

process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  // A reader that has enough, such as `head`, is no fault.
  if (code === 'EPIPE') process.exit(0);
  console.error(`Standard output cannot be written: ${message}`);
  process.exit(couldNotRun);
});
endWith(
  await runExportCommand(process.argv.slice(2), {
    write: (text) =>
      new Promise((resolve, reject) => {
        process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
      }),
    stderr: process.stderr,
  }),
);
