import { type CommandResult, readArguments, resultOf } from '../cli/command.js';
import { parseDurationMs } from '../setting-parsers.js';
import { parseSettings } from '../settings.js';
import { roles } from './caller.js';
import { loadKeys } from './keys.js';
import { callerFromClaims } from './token-claims.js';
import { signToken, type TokenClaims } from './token-signer.js';

const syntax = {
  name: 'token',
  summary:
    'Prints a token signed with this installation’s key, as the gateway’s own settings name it, and nothing else.',
  options: {
    roles: {
      value: 'ROLES',
      multiple: true,
      help: `${roles.join(', ')}; separated by commas or spaces; may be repeated`,
    },
    scope: {
      value: 'SCOPE',
      multiple: true,
      help: 'r_jobs, r_w_jobs, r_companies, r_w_companies; separated by spaces; may be repeated',
    },
    media: {
      value: 'IDS',
      multiple: true,
      help: 'public ids of media, separated by commas or spaces; may be repeated',
    },
    brand: { value: 'ID', help: 'public id of the brand that a brand_admin acts for' },
    sub: { value: 'SUBJECT', help: 'who calls', default: 'developer' },
    expires: {
      value: 'TIME',
      help: 'lifetime of the token, such as 30s, 15m, 1h or 90d',
      default: '1h',
    },
  },
} as const;

/**
 * The command `token`: signs what it is given with the key of the environment's settings; roles and scopes that the
 * gateway does not know are signed as they are, and grant nothing.
 * @param environment default the environment of the process.
 */
export const runTokenCommand = (
  argv: readonly string[],
  environment?: NodeJS.ProcessEnv,
): Promise<CommandResult> =>
  resultOf(async () => {
    const claims = readClaims(argv);
    const settings = parseSettings(environment);
    return signToken(await loadKeys(settings), settings, claims, new Date());
  }, environment);

/** @throws Error that says what is wrong with the arguments. */
function readClaims(argv: readonly string[]): TokenClaims {
  const { values } = readArguments(syntax, argv);
  const claims = {
    sub: values.sub,
    scope: values.scope?.join(' '),
    roles: values.roles && listOf(values.roles),
    media: values.media && listOf(values.media),
    brand: values.brand,
  };
  // The gateway would refuse such a token, and its holder would look for the fault anywhere but here.
  callerFromClaims({ ...claims, exp: 0 });
  return { ...claims, lifetimeMs: parseLifetime(values.expires) };
}

function parseLifetime(text: string): number {
  try {
    return parseDurationMs(text);
  } catch (cause) {
    throw new Error(`--expires: ${(cause as Error).message}, not "${text}"`, { cause });
  }
}

function listOf(texts: readonly string[]): string[] {
  return texts.flatMap((text) => text.split(/[\s,]/)).filter(Boolean);
}
