import { fstatSync, writeFile } from 'node:fs';
import { createRequire } from 'node:module';
import { parseArgs } from 'node:util';
import { readsAsSystem, systemActor } from '../access/caller.js';
import { ConnectError } from '../database/connect.js';
import { startFaults } from '../doctor/start-fault.js';
import { withoutSecrets } from '../log/log.js';
import { parseSettings, type Settings } from '../settings.js';

/** What a command leaves behind: its output, without a line's end, and its exit code. */
export interface CommandResult {
  stdout: string;
  stderr: string;
  exitCode: number;
}

/** One option of a command: without `value` it is a switch. */
interface CommandOption {
  /** What stands for its value in the help, such as `KID`. */
  value?: string;
  /** Whether it may be repeated. */
  multiple?: true;
  default?: string;
  help: string;
}

type ValueOf<O> = O extends { value: string }
  ? O extends { multiple: true }
    ? string[] | undefined
    : O extends { default: string }
      ? string
      : string | undefined
  : boolean;

/** The values of a command's options, and its other arguments. */
export interface Arguments<Options extends Record<string, CommandOption>> {
  values: { [Name in keyof Options]: ValueOf<Options[Name]> };
  positionals: string[];
}

/** What a command takes, in words. */
interface CommandSyntax<Options extends Record<string, CommandOption>> {
  name: string;
  /** The other arguments in the help, such as `FILE…`; without it there are none. */
  positionals?: string;
  /** What it does, in sentences of its own. */
  summary: string;
  options: Options;
}

/** Reads the arguments of a command. @throws Error with what is wrong and how to do it right */
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

/** A fault of the arguments, with the help below it. */
export const usageFault = (syntax: CommandSyntax<Record<string, CommandOption>>, fault: string): Error =>
  new Error(`${fault}\n\n${usageOf(syntax)}`);

/** The name in `--actor`, for the history (Contract 12.3.5, 12.5.1). @throws Error for none, and for the gateway's own */
export function readActor(syntax: Parameters<typeof usageFault>[0], given: string): string {
  const actor = given.trim();
  if (actor === '' || readsAsSystem(actor))
    throw usageFault(syntax, `--actor is a name, and not ${systemActor}, which is the gateway itself.`);
  return actor;
}

const help: CommandOption = { help: 'prints this' };

function usageOf({
  name,
  positionals,
  summary,
  options,
}: CommandSyntax<Record<string, CommandOption>>): string {
  const rows = Object.entries({ ...options, help }).map(
    ([option, { value, help: text, default: byDefault }]) => [
      // After a space, a value that begins with a dash would be taken for an option.
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

/** What a command ends with where it could not run (Contract 12.6). */
export const couldNotRun = 2;

/** A command by its arguments and its environment, by default that of the process. */
type Command = (argv: readonly string[], environment?: NodeJS.ProcessEnv) => Promise<CommandResult>;

/**
 * Makes a command, which never throws: each fault stands in `stderr`, in one sentence with its remedy, and `stdout` is then empty.
 * @param run answers its `stdout`, alone if `stderr` is empty and the exit code 0
 */
export const command =
  <const Options extends Record<string, CommandOption>>(
    syntax: CommandSyntax<Options>,
    run: (
      given: Arguments<Options>,
      environment: NodeJS.ProcessEnv | undefined,
    ) => Promise<string | (Partial<CommandResult> & Pick<CommandResult, 'stdout'>)>,
  ): Command =>
  async (argv, environment) => {
    try {
      const { isHelpAsked, ...given } = readArguments(syntax, argv);
      const result = isHelpAsked ? usageOf(syntax) : await run(given, environment);
      return { stderr: '', exitCode: 0, ...(typeof result === 'string' ? { stdout: result } : result) };
    } catch (error) {
      return { stdout: '', stderr: faultOf(error, environment), exitCode: couldNotRun };
    }
  };

/** What keeps a command from running, one line a fault, with what mends it; no secret. */
function faultOf(error: unknown, environment?: NodeJS.ProcessEnv): string {
  if (error instanceof ConnectError && error.isCausedBy('FolderInUseError'))
    return 'The built-in store is in use: stop the gateway first, only one process can open it.';
  const lines = startFaults(error, readable(environment)).map(({ what, mend }) => `${what}: ${mend}`);
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
 * Runs a command with the arguments of the process, prints what it leaves behind, and lets the process end with its exit code:
 * with 2 and the reason where standard output cannot be written (Contract 12.6). What standard error does not take is lost, and
 * the command goes on.
 * @param module the file of the command: nothing happens unless the process was started with it, so that tests can import it
 */
export async function endWith(module: ImportMeta, run: Command): Promise<void> {
  if (createRequire(module.url).resolve(process.argv[1] ?? '') !== module.filename) return;
  process.stderr.on('error', () => undefined);
  process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    // A reader that has enough, such as `head`, is no fault.
    if (code === 'EPIPE') process.exit();
    console.error(`Standard output cannot be written: ${message}`);
    process.exit(couldNotRun);
  });
  // Of a text that has no room in a file, Node.js writes the beginning and says nothing: half an export would pass for all.
  if (fstatSync(1).isFile())
    process.stdout._write = (bytes: Buffer, _encoding, done) => writeFile(1, bytes, done);
  const { stdout, stderr, exitCode } = await run(process.argv.slice(2));
  process.exitCode = exitCode;
  if (stdout) console.log(stdout);
  if (stderr) console.error(stderr);
}
