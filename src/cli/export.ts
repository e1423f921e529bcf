import { runExportCommand } from '../exchange/export-command.js';

// A reader that has enough, such as `head`, is no fault.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 2));
process.exitCode = await runExportCommand(process.argv.slice(2), {
  write: (text) =>
    new Promise((resolve, reject) => {
      process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
    }),
  stderr: process.stderr,
});
