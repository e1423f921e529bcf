import { parseArgs } from 'node:util';
import { parseDurationMs } from '../setting-parsers.js';
import { parseSettings } from '../settings.js';
import { loadKeys } from './keys.js';
import { signToken, type TokenClaims } from './token-signer.js';

/** What a command leaves behind: its output, without a line's end, and its exit code. */
export interface CommandResult {
  stdout: string;
  stderr: string;
  exitCode: 0 | 1;
}

const usage = `Usage: npm run --silent token -- [options]

Prints a token signed with this installation's key, as the gateway's own settings name it, and nothing else.

  --roles ROLES    brand_admin, media_admin, media_partner; separated by commas or spaces; may be repeated
  --scope SCOPE    r_jobs, r_w_jobs, r_companies, r_w_companies; separated by spaces; may be repeated
  --media IDS      public ids of media, separated by commas or spaces; may be repeated
  --brand ID       public id of the brand that a brand_admin acts for
  --sub SUBJECT    who calls; default developer
  --expires TIME   lifetime of the token, such as 30s, 15m, 1h or 90d; default 1h
  --help           prints this

Roles and scopes that the gateway does not know are signed as they are; they grant nothing.`;

/**
 * The command `token`: signs what it is given with the key of the environment's settings. Never throws: whatever is
 * wrong stands in `stderr`, with exit code 1 and nothing in `stdout`.
 * @param environment default the environment of the process.
 */
export async function runTokenCommand(
  argv: readonly string[],
  environment?: Readonly<Record<string, string | undefined>>,
): Promise<CommandResult> {
  try {
    const claims = readClaims(argv);
    if (claims === 'help') return { stdout: usage, stderr: '', exitCode: 0 };
    const settings = parseSettings(environment);
    const token = await signToken(await loadKeys(settings), settings, claims, new Date());
    return { stdout: token, stderr: '', exitCode: 0 };
  } catch (error) {
    return { stdout: '', stderr: (error as Error).message, exitCode: 1 };
  }
}

/** @throws Error that says what is wrong with the arguments. */
function readClaims(argv: readonly string[]): TokenClaims | 'help' {
  const { values } = parseOptions(argv);
  if (values.help) return 'help';
  return {
    sub: values.sub,
    scope: values.scope?.join(' '),
    roles: values.roles && listOf(values.roles),
    media: values.media && listOf(values.media),
    brand: values.brand,
    lifetimeMs: parseLifetime(values.expires),
  };
}

function parseOptions(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      options: {
        roles: { type: 'string', multiple: true },
        scope: { type: 'string', multiple: true },
        media: { type: 'string', multiple: true },
        brand: { type: 'string' },
        sub: { type: 'string', default: 'developer' },
        expires: { type: 'string', default: '1h' },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (cause) {
    throw new Error(`${(cause as Error).message}\n\n${usage}`, { cause });
  }
}

function parseLifetime(text: string): number {
  try {
    return parseDurationMs(text);
  } catch (cause) {
    throw new Error(`--expires: ${(cause as Error).message}, not "${text}"`, { cause });
  }
}

function listOf(texts: readonly string[]): string[] {
  return texts.flatMap((text) => text.split(/[\s,]+/)).filter(Boolean);
}
