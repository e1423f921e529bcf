import { fstatSync, writeFile } from 'node:fs';
import { createRequire } from 'node:module';
import { hostname } from 'node:os';
import { parseArgs } from 'node:util';
import { readsAsSystem } from '../tokens/caller.js';
import { systemActor } from '../history/history-entry.js';
import { describeHolder, type Lease, withLease } from '../change/records-lease.js';
import { ConnectError } from '../database/connect.js';
import { startFaults } from '../doctor/start-fault.js';
import { withoutSecrets } from '../log/log.js';
import { type Models } from '../models.js';
import { parseDurationMs } from '../settings/setting-parsers.js';
import { parseSettings, type Settings } from '../settings/settings.js';

/** The texts have no final newline. */
export interface CommandResult {
  stdout: string;
  stderr: string;
  exitCode: number;
}

/** An option without `value` is a flag. */
interface CommandOption {
  /** Placeholder of the value in the help, such as `KID`. */
  value?: string;
  multiple?: true;
  default?: string;
  help: string;
}

type OptionValue<O> = O extends { value: string }
  ? O extends { multiple: true }
    ? string[] | undefined
    : O extends { default: string }
      ? string
      : string | undefined
  : boolean;

export interface Arguments<Options extends Record<string, CommandOption>> {
  values: { [Name in keyof Options]: OptionValue<Options[Name]> };
  positionals: string[];
}

interface CommandSyntax<Options extends Record<string, CommandOption> = Record<string, CommandOption>> {
  name: string;
  /** As the help shows them, such as `FILE…`. If unset, the command takes none. */
  positionals?: string;
  summary: string;
  options: Options;
}

/** @throws Error with the fault and the help */
function readArguments<Options extends Record<string, CommandOption>>(
  syntax: CommandSyntax<Options>,
  argv: readonly string[],
): Arguments<Options> & { isHelpAsked: boolean } {
  const options: Record<string, CommandOption> = { ...syntax.options, help };
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      allowPositionals: syntax.positionals !== undefined,
      options: Object.fromEntries(
        Object.entries(options).map(([name, { value, multiple = false, default: text }]) => [
          name,
          value
            ? { type: 'string' as const, multiple, default: text }
            : { type: 'boolean' as const, default: false },
        ]),
      ),
    });
    const isHelpAsked = values.help === true;
    return { values: values as Arguments<Options>['values'], positionals, isHelpAsked };
  } catch (cause) {
    throw usageFault(syntax, (cause as Error).message);
  }
}

export const usageFault = (syntax: CommandSyntax, fault: string): Error =>
  new Error(`${fault}\n\n${usageOf(syntax)}`);

export const actorOption = {
  value: 'NAME',
  default: 'operator',
  help: 'the name that the history gives as author of the changes',
} as const;

export const waitOption = {
  value: 'TIME',
  default: '10m',
  help: 'how long to wait while another import, erase or seed runs, such as 30s; 0 refuses at once',
} as const;

/** @throws Error that names the option */
export const readWaitMs = (text: string): number => (text === '0' ? 0 : readDurationMs('wait', text));

/** Runs the body of a command that changes records: one at a time, on each database. */
export const withLeaseFor = <T>(
  models: Models,
  { isShared, waitMs, ...who }: { command: string; actor: string; waitMs: number; isShared: boolean },
  work: (lease: Lease) => Promise<T>,
  tell: (text: string) => unknown = (text) => process.stderr.write(`${text}\n`),
): Promise<T> =>
  withLease(
    models.media,
    { ...who, host: hostname() },
    { waitMs, isShared, onWait: (by) => void tell(`waiting for ${describeHolder(by)}`) },
    work,
  );

/** Reads the author of history entries (Contract 12.3.5). @throws Error if the name is empty or the gateway's own */
export function readActor(syntax: CommandSyntax, text: string): string {
  const actor = text.trim();
  if (actor === '' || readsAsSystem(actor))
    throw usageFault(
      syntax,
      `--actor must be a name other than ${systemActor}, which means the gateway itself.`,
    );
  return actor;
}

/** @throws Error that names the option */
export function readDurationMs(option: string, text: string): number {
  try {
    return parseDurationMs(text);
  } catch (cause) {
    throw new Error(`--${option}: ${(cause as Error).message}, not "${text}"`, { cause });
  }
}

const help: CommandOption = { help: 'prints this help' };

function usageOf({ name, positionals, summary, options }: CommandSyntax): string {
  const rows = Object.entries({ ...options, help }).map(
    ([option, { value, help: text, default: byDefault }]) => [
      // With a space instead of `=`, a value that begins with a dash would be read as an option.
      `--${option}${value ? `=${value}` : ''}`,
      byDefault === undefined ? text : `${text}; default ${byDefault}`,
    ],
  );
  const width = Math.max(...rows.map(([left = '']) => left.length));
  return [
    `Usage: npm run --silent ${name} -- [options]${positionals ? ` ${positionals}` : ''}`,
    summary,
    rows.map(([left = '', right]) => `  ${left.padEnd(width)}  ${right}`).join('\n'),
  ].join('\n\n');
}

/** Exit code. */
export const couldNotRun = 2;

/** @param environment default: `process.env` */
type RunCommand = (argv: readonly string[], environment?: NodeJS.ProcessEnv) => Promise<CommandResult>;

/** Makes a command that never throws. If it fails, `stderr` has a line per fault with its fix, and `stdout` is empty. */
export const command =
  <const Options extends Record<string, CommandOption>>(
    syntax: CommandSyntax<Options>,
    run: (
      values: Arguments<Options>,
      environment: NodeJS.ProcessEnv | undefined,
    ) => Promise<string | (Partial<CommandResult> & Pick<CommandResult, 'stdout'>)>,
  ): RunCommand =>
  async (argv, environment) => {
    try {
      const { isHelpAsked, ...values } = readArguments(syntax, argv);
      const result = isHelpAsked ? usageOf(syntax) : await run(values, environment);
      return { stderr: '', exitCode: 0, ...(typeof result === 'string' ? { stdout: result } : result) };
    } catch (error) {
      return { stdout: '', stderr: faultOf(error, environment), exitCode: couldNotRun };
    }
  };

function faultOf(error: unknown, environment?: NodeJS.ProcessEnv): string {
  if (error instanceof ConnectError && error.isCausedBy('FolderInUseError'))
    return 'The built-in store is in use: stop the gateway first, only one process can open it.';
  const lines = startFaults(error, readable(environment)).map(({ what, fix }) => `${what}: ${fix}`);
  return withoutSecrets(lines.length > 0 ? lines.join('\n') : (error as Error).message);
}

function readable(environment?: NodeJS.ProcessEnv): Settings | undefined {
  try {
    return parseSettings(environment);
  } catch {
    return undefined;
  }
}

/**
 * If standard output cannot be written, prints the reason and exits with 2 (Contract 12.6). If standard error cannot be written, its
 * messages are lost.
 * @param module the command's file; nothing runs if the process was started with another file, so tests can import commands
 */
export async function endWith(module: ImportMeta, run: RunCommand): Promise<void> {
  if (createRequire(module.url).resolve(process.argv[1] ?? '') !== module.filename) return;
  process.stderr.on('error', () => undefined);
  process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    // A reader that stops early, such as `head`, is not an error.
    if (code === 'EPIPE') process.exit();
    console.error(`Standard output cannot be written: ${message}`);
    process.exit(couldNotRun);
  });
  // On a full disk, Node.js writes the beginning of a text and reports no error: half an export would look complete.
  if (fstatSync(1).isFile())
    process.stdout._write = (bytes: Buffer, _encoding, done) => writeFile(1, bytes, done);
  const { stdout, stderr, exitCode } = await run(process.argv.slice(2));
  process.exitCode = exitCode;
  if (stdout) console.log(stdout);
  if (stderr) console.error(stderr);
}
