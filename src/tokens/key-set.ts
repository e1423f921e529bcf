import { type AsymmetricKeyDetails, createPublicKey } from 'node:crypto';
import { type JSONWebKeySet, type JWK } from 'jose';
import { isJsonObject } from '../text/read-json.js';

const smallestRsaBits = 2_048;
const curves: Readonly<Record<string, readonly string[]>> = {
  EC: ['P-256', 'P-384', 'P-521'],
  OKP: ['Ed25519'],
};

/**
 * The accepted signature algorithms. Never add `none`, or HMAC, whose secret would be the public key: anyone could sign.
 */
export const tokenAlgorithms: readonly string[] = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

/**
 * The public halves of the keys that may verify a token. Skips all others, even faulty entries. Symmetric keys would let every verifier
 * sign.
 * @throws Error when the document is not a JWK Set
 */
export function publicKeySet(document: unknown): JSONWebKeySet {
  return {
    keys: entriesOf(document)
      .filter(isJsonObject)
      .filter((key) => isAcceptable(key) && isForSignatures(key))
      .map(publicHalf),
  };
}

/** @throws Error when the document is not a JWK Set, or an entry is not an object */
export function keysOf(document: unknown): JWK[] {
  const entries = entriesOf(document);
  return entries.every(isJsonObject) ? entries : notASet();
}

/** The unchecked entries. @throws Error when the document is not a JWK Set */
export function entriesOf(document: unknown): unknown[] {
  const entries = isJsonObject(document) ? document.keys : undefined;
  return Array.isArray(entries) ? entries : notASet();
}

function notASet(): never {
  throw new Error('not a JWK Set: {"keys": [...]}');
}

/** Checks the type, and the curve or the RSA modulus and exponent. */
export function isAcceptable({ kty, n, e, crv }: JWK): boolean {
  if (kty !== 'RSA') return typeof crv === 'string' && curves[String(kty)]?.includes(crv) === true;
  const { modulusLength = 0, publicExponent = 0n } = detailsOf({ kty, n, e } as JWK) ?? {};
  // With an exponent of 1 anyone can sign: the signature is the padded text itself.
  return modulusLength >= smallestRsaBits && publicExponent > 1n && publicExponent % 2n === 1n;
}

/**
 * Whether `use` and `key_ops` let a key verify signatures (RFC 7517, 4.2 and 4.3). A private key that may `sign` passes, because its
 * public half verifies.
 */
export function isForSignatures({ use, key_ops: operations, d }: JWK): boolean {
  if (use !== undefined && use !== 'sig') return false;
  if (operations === undefined) return true;
  return (
    Array.isArray(operations) &&
    operations.some((name) => name === 'verify' || (name === 'sign' && d !== undefined))
  );
}

/** False if a member is missing, or the point is not on its curve. */
export const isWhole = (key: JWK): boolean => detailsOf(key) !== null;

function detailsOf(key: JWK): AsymmetricKeyDetails | null {
  try {
    return createPublicKey({ key, format: 'jwk' }).asymmetricKeyDetails ?? {};
  } catch {
    return null;
  }
}

/** A provider that merges the keys of several nodes may list a key twice. */
export function distinct(keys: readonly JWK[]): JWK[] {
  return [...new Map(keys.map((key) => [JSON.stringify(key), key])).values()];
}

/** Copies only the listed members, so no private member slips through. */
function publicHalf({ kty, kid, alg, use, n, e, crv, x, y }: JWK): JWK {
  const members = { kty, kid, alg, use, n, e, crv, x, y };
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
