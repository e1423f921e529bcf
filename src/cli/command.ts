import { fstatSync, writeFile } from 'node:fs';
import { createRequire } from 'node:module';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readsAsSystem } from '../tokens/caller.js';
import { systemActor } from '../history/history-entry.js';
import { describeHolder, type Lease, withLease } from '../change/records-lease.js';
import { ConnectError, type ConnectSettings, type Database, hasStore } from '../database/connect.js';
import { startFaults } from '../doctor/start-fault.js';
import { withoutSecrets } from '../log/log.js';
import { type Models, withModels } from '../models.js';
import { parseDurationMs } from '../settings/setting-parsers.js';
import { parseSettings, type Settings } from '../settings/settings.js';

/** The texts have no final newline. */
export interface CommandResult {
  stdout: string;
  stderr: string;
  exitCode: number;
}

/** Prints a line on standard error, at once. */
export type Tell = (line: string) => void;

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
  tell: Tell,
  work: (lease: Lease) => Promise<T>,
): Promise<T> =>
  withLease(
    models.media,
    { ...who, host: hostname() },
    { waitMs, isShared, onWait: (by) => tell(`waiting for ${describeHolder(by)}`) },
    work,
  );

/**
 * Opens the database of a command, and prints its name first: an operator in the wrong environment would otherwise change or read
 * another database unnoticed.
 * @param makesStore whether to go on where there is no built-in store yet
 * @throws Error that says where it looked for the store; what `withModels` throws
 */
export function onDatabase<T>(
  settings: ConnectSettings,
  { tell, makesStore }: { tell: Tell; makesStore: boolean },
  work: (models: Models, database: Database) => Promise<T>,
): Promise<T> {
  if (!makesStore && !hasStore(settings))
    throw new Error(
      `There is no database here: MONGODB_URI is not set, and ${resolve(settings.dataDir)}, the folder of DATA_DIR, holds no built-in store. Run this with the settings of the gateway`,
    );
  return withModels(settings, async (models, database) => {
    tell(database.description);
    return work(models, database);
  });
}

/** Reads the author of history entries. @throws Error if the name is empty or the gateway's own */
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

/**
 * @param environment default: `process.env`
 * @param tell if unset, `stderr` of the result begins with the told lines
 */
type RunCommand = (
  argv: readonly string[],
  environment?: NodeJS.ProcessEnv,
  tell?: Tell,
) => Promise<CommandResult>;

/** Makes a command that never throws. If it fails, `stderr` has a line per fault with its fix, and `stdout` is empty. */
export const command =
  <const Options extends Record<string, CommandOption>>(
    syntax: CommandSyntax<Options>,
    run: (
      values: Arguments<Options>,
      environment: NodeJS.ProcessEnv | undefined,
      tell: Tell,
    ) => Promise<string | (Partial<CommandResult> & Pick<CommandResult, 'stdout'>)>,
  ): RunCommand =>
  async (argv, environment, tell) => {
    const told: string[] = [];
    const ended = ({ stdout, stderr = '', exitCode = 0 }: Partial<CommandResult>): CommandResult => ({
      ...{ stdout: stdout ?? '', exitCode },
      stderr: [...told, ...(stderr ? [stderr] : [])].join('\n'),
    });
    try {
      const { isHelpAsked, ...values } = readArguments(syntax, argv);
      const result = isHelpAsked
        ? usageOf(syntax)
        : await run(values, environment, tell ?? ((line) => void told.push(line)));
      return ended(typeof result === 'string' ? { stdout: result } : result);
    } catch (error) {
      return ended({ stderr: faultOf(error, environment), exitCode: couldNotRun });
    }
  };

function faultOf(error: unknown, environment?: NodeJS.ProcessEnv): string {
  if (error instanceof ConnectError && error.isFolderInUse)
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
 * If standard output cannot be written, prints the reason and exits with 2. If standard error cannot be written, its
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
  const tell = (line: string) => console.error(line);
  const { stdout, stderr, exitCode } = await run(process.argv.slice(2), undefined, tell);
  process.exitCode = exitCode;
  if (stdout) console.log(stdout);
  if (stderr) console.error(stderr);
}
