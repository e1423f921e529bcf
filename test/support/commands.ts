import { Readable } from 'node:stream';
import { runExportCommand } from '../../src/exchange/export-command.js';
import { runImportCommand } from '../../src/exchange/import-command.js';

/** What a command printed, and what it ended with. */
export interface CommandOutcome {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs the commands of operators on a database. */
export function commandsOn(uri: string, settings: NodeJS.ProcessEnv = {}) {
  const environment = { NODE_ENV: 'test', MONGODB_URI: uri, ...settings };
  return {
    importFiles: async (argv: readonly string[], stdin = ''): Promise<CommandOutcome> => {
      const printed = { stdout: '', stderr: '' };
      const code = await runImportCommand(
        argv,
        {
          stdin: Readable.from([Buffer.from(stdin)]),
          stdout: { write: (text) => (printed.stdout += text) },
          stderr: { write: (text) => (printed.stderr += text) },
        },
        environment,
      );
      return { code, ...printed };
    },
    exportAll: async (...argv: string[]): Promise<CommandOutcome> => {
      const printed = { stdout: '', stderr: '' };
      const code = await runExportCommand(
        argv,
        {
          write: async (text) => void (printed.stdout += text),
          stderr: { write: (text) => (printed.stderr += text) },
        },
        environment,
      );
      return { code, ...printed };
    },
  };
}

/** Records as the text of a file. */
export const linesOf = (records: readonly object[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('');
