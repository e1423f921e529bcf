import { expect } from '@jest/globals';
import { Readable } from 'node:stream';
import { type CommandResult } from '../../src/cli/command.js';
import { exportCommand } from '../../src/cli/export.js';
import { importCommand } from '../../src/cli/import.js';
import { type TestGateway } from './gateway.js';

export interface CommandOutcome {
  code: number;
  stdout: string;
  stderr: string;
}

export function commandsOn(uri: string, settings: NodeJS.ProcessEnv = {}) {
  const environment = { NODE_ENV: 'test', MONGODB_URI: uri, ...settings };
  return {
    importFiles: async (argv: readonly string[], stdin = ''): Promise<CommandOutcome> => {
      const result = await importCommand(Readable.from([Buffer.from(stdin)]))(argv, environment);
      return outcomeOf('', result);
    },
    exportAll: async (...argv: string[]): Promise<CommandOutcome> => {
      let written = '';
      const result = await exportCommand(async (text) => void (written += text))(argv, environment);
      return outcomeOf(written, result);
    },
  };
}

function outcomeOf(written: string, { stdout, stderr, exitCode }: CommandResult): CommandOutcome {
  const line = (text: string) => (text === '' ? '' : `${text}\n`);
  return { code: exitCode, stdout: written + line(stdout), stderr: line(stderr) };
}

export const linesOf = (records: readonly object[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('');

export const recordsOf = (lines: string): Record<string, unknown>[] =>
  lines
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

/** Imports records into the database of a gateway, all without a fault. */
export async function importInto({ settings }: TestGateway, ...records: object[]): Promise<void> {
  const { importFiles } = commandsOn(settings.mongodbUri ?? '');
  const { code, stderr } = await importFiles(['-'], linesOf(records));
  expect([code, code === 0 ? '' : stderr]).toEqual([0, '']);
}
