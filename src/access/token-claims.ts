import { type JWTPayload } from 'jose';
import { readsAsSystem, systemActor, type Caller } from './caller.js';
import { roles, scopes } from '../operations.js';
import { TokenFault } from './token-fault.js';

/** The maximum length of a subject and of a record's `created_by`. */
export const longestSubject = 255;

/**
 * Builds the caller from verified claims (Contract 5.4). Ignores unknown roles and scopes.
 * @throws TokenFault that names the first malformed claim, never its value
 */
export function callerFromClaims(claims: JWTPayload): Caller {
  const { sub, exp, scope = '', roles: roleNames = [], media, brand } = claims;
  if (!isText(sub) || sub.length > longestSubject || /\p{Cc}|\p{Cs}/u.test(sub))
    throw new TokenFault(`sub is not a string of 1 to ${longestSubject} readable characters`);
  // In the history, such a caller would look like the gateway.
  if (readsAsSystem(sub))
    throw new TokenFault(`sub is ${systemActor}, which is reserved for the gateway itself`);
  // RFC 3339 ends at the year 9999. The limit also catches an `exp` in milliseconds, which would never expire.
  if (typeof exp !== 'number' || !(new Date(exp * 1_000).getUTCFullYear() <= 9_999))
    throw new TokenFault('exp is not a number of seconds up to the year 9999');
  if (typeof scope !== 'string') throw new TokenFault('scope is not a string');
  if (!isListOfStrings(roleNames)) throw new TokenFault('roles is not a list of strings');
  if (media !== undefined && !isListOfStrings(media)) throw new TokenFault('media is not a list of strings');
  if (brand !== undefined && !isText(brand))
    throw new TokenFault('brand is not a string of at least 1 character');
  const scopeNames = scope.split(' ');
  return {
    subject: sub,
    roles: new Set(roles.filter((role) => roleNames.includes(role))),
    scopes: new Set(scopes.filter((name) => scopeNames.includes(name))),
    media: media && new Set(media),
    brand,
    expiresAt: new Date(exp * 1_000),
  };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function isListOfStrings(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string');
}
