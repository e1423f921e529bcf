import { type Arguments, command, endWith, readDurationMs } from './command.js';
import { parseSettings } from '../settings/settings.js';
import { roles, scopes } from '../operations.js';
import { loadKeys } from '../tokens/keys.js';
import { ourClaims } from '../tokens/providers.js';
import { callerFromClaims } from '../tokens/token-claims.js';
import { signToken, type TokenClaims } from '../tokens/token-signer.js';

const syntax = {
  name: 'token',
  summary: 'Prints a token and nothing else. The key that the gateway’s settings name signs it.',
  options: {
    roles: {
      value: 'ROLES',
      multiple: true,
      help: `${roles.join(', ')}; separated by commas or spaces; may be repeated`,
    },
    scope: {
      value: 'SCOPE',
      multiple: true,
      help: `${scopes.join(', ')}; separated by commas or spaces; may be repeated`,
    },
    media: {
      value: 'IDS',
      multiple: true,
      help: 'public ids of media, separated by commas or spaces; may be repeated',
    },
    brand: { value: 'ID', help: 'public id of the brand that a brand_admin acts for' },
    sub: { value: 'SUBJECT', help: 'id of the caller', default: 'developer' },
    expires: { value: 'TIME', help: 'lifetime of the token, such as 30s, 15m, 1h or 90d', default: '1h' },
  },
} as const;

export const runTokenCommand = command(syntax, async ({ values }, environment) => {
  const claims = readClaims(values);
  const settings = parseSettings(environment, { opensDatabase: false });
  return signToken(await loadKeys(settings), settings, claims, new Date());
});

/** @throws Error if an argument is wrong */
function readClaims(values: Arguments<(typeof syntax)['options']>['values']): TokenClaims {
  const claims = {
    sub: values.sub,
    scope: values.scope && knownIn('scope', scopes, values.scope).join(' '),
    roles: values.roles && knownIn('roles', roles, values.roles),
    media: values.media && listOf(values.media),
    brand: values.brand,
  };
  // Throws for a token that the gateway would reject.
  callerFromClaims({ ...claims, exp: 0 }, ourClaims);
  return { ...claims, lifetimeMs: readDurationMs('expires', values.expires) };
}

/** @throws Error for an unknown entry, because it would grant nothing */
function knownIn(option: string, known: readonly string[], texts: readonly string[]): string[] {
  const list = listOf(texts);
  const unknown = list.filter((text) => !known.includes(text));
  if (unknown.length > 0)
    throw new Error(`--${option}: there is no ${unknown.join(', ')}, only ${known.join(', ')}`);
  return list;
}

function listOf(texts: readonly string[]): string[] {
  return texts.flatMap((text) => text.split(/[\s,]/)).filter(Boolean);
}

await endWith(import.meta, runTokenCommand);
