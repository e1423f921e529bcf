import { errors, type JWTPayload } from 'jose';
import { readsAsSystem, type Caller } from './caller.js';
import { systemActor } from '../history/history-entry.js';
import { roles, scopes } from '../operations.js';
import { type JsonPointer, valueAt } from '../text/json-pointer.rules.js';
import { isJsonObject } from '../text/read-json.js';
import { type ClaimRules } from './providers.js';

/** The maximum length of a subject and of a record's `created_by`. */
export const longestSubject = 255;

/**
 * Builds the caller from verified claims. Ignores unknown roles and scopes.
 * @throws TokenFault that names the first malformed claim, never its value
 */
export function callerFromClaims(claims: JWTPayload, rules: ClaimRules): Caller {
  const subject = subjectFromClaims(claims.sub, rules);
  const { exp } = claims;
  // RFC 3339 ends at the year 9999. The limit also catches an `exp` in milliseconds, which would never expire.
  if (typeof exp !== 'number' || !(new Date(exp * 1_000).getUTCFullYear() <= 9_999))
    throw new TokenFault('exp is not a number of seconds up to the year 9999');
  const namesOf = (name: 'scope' | 'roles' | 'media') => namesIn(claimAt(rules.claims[name], claims), name);
  const granted = <Name extends string>(names: string[] = [], map?: ReadonlyMap<string, Name>) =>
    map ? names.flatMap((name) => map.get(name) ?? []) : names;
  const scopeNames = granted(namesOf('scope'), rules.scopes);
  const roleNames = granted(namesOf('roles'), rules.roles);
  const media = namesOf('media');
  const brand = valueAt(rules.claims.brand, claims) ?? undefined;
  if (brand !== undefined && !isText(brand))
    throw new TokenFault('brand is not a string of at least 1 character');
  return {
    subject,
    roles: new Set(roles.filter((role) => roleNames.includes(role))),
    scopes: new Set(scopes.filter((name) => scopeNames.includes(name))),
    media: mediaWithin(rules.media, media),
    brand,
    expiresAt: new Date(exp * 1_000),
  };
}

/** A null on the way to a claim counts like a null claim, which grants nothing. */
function claimAt(pointer: JsonPointer, claims: JWTPayload): unknown {
  const isNull = pointer.some((_, index) => valueAt(pointer.slice(0, index), claims) === null);
  return isNull ? null : valueAt(pointer, claims);
}

function subjectFromClaims(sub: unknown, { prefix, otherPrefixes }: ClaimRules): string {
  const subject = prefix === undefined ? sub : `${prefix}:${String(sub)}`;
  if (!isText(sub) || !isText(subject) || subject.length > longestSubject || /\p{Cc}|\p{Cs}/u.test(sub))
    throw new TokenFault(`sub is not a string of 1 to ${longestSubject} readable characters`);
  // In the history, such a caller would look like the gateway.
  if (readsAsSystem(sub))
    throw new TokenFault(`sub is ${systemActor}, which is reserved for the gateway itself`);
  if (prefix === undefined && otherPrefixes.some((other) => sub.startsWith(`${other}:`)))
    throw new TokenFault('sub begins with the prefix of another identity provider');
  return subject;
}

/** Without a claim, the media of the provider. If no claimed media remains, the token reaches nothing. */
function mediaWithin(allowed: ClaimRules['media'], claimed: string[] | undefined): Caller['media'] {
  if (allowed === '*') return claimed && new Set(claimed);
  return claimed ? new Set(claimed.filter((media) => allowed.has(media))) : allowed;
}

/** Undefined without the claim. A null claim names nothing, so a null media reaches nothing. */
function namesIn(value: unknown, claim: string): string[] | undefined {
  if (value === undefined) return undefined;
  if (value === null) return [];
  // ZITADEL's roles, each with the organisations that grant it.
  if (claim === 'roles' && isJsonObject(value) && Object.values(value).every(isFilled))
    return Object.keys(value);
  if (typeof value === 'string') return value.split(' ').filter(Boolean);
  if (Array.isArray(value) && value.every((entry) => typeof entry === 'string')) return value;
  throw new TokenFault(`${claim} is neither a list of strings nor a string`);
}

const isFilled = (value: unknown): boolean => isJsonObject(value) && Object.keys(value).length > 0;

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** The message quotes no part of the token, so it can be sent and logged. */
export class TokenFault extends Error {
  override readonly name = 'TokenFault';
}

const descriptions: Record<string, string> = {
  ERR_JWT_EXPIRED: 'the token has expired',
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: 'the signature does not verify',
  ERR_JWKS_NO_MATCHING_KEY: 'no known key has this kid and alg',
  ERR_JOSE_ALG_NOT_ALLOWED: 'the gateway does not accept this alg',
};

/** The `error_description` for a bad token. jose's errors may quote the token, so use only the claim's name. */
export function describeTokenFault(error: unknown): string {
  if (error instanceof TokenFault) return error.message;
  if (error instanceof errors.JWTClaimValidationFailed)
    return `the claim ${error.claim} is missing or does not have the expected value`;
  return descriptions[(error as { code?: string } | null)?.code ?? ''] ?? 'the token is malformed';
}
