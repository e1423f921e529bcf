import { type AsymmetricKeyDetails, createPublicKey } from 'node:crypto';
import { type JSONWebKeySet, type JWK } from 'jose';
import { isJsonObject } from '../decoding/read-json.js';

const smallestRsaBits = 2_048;
const curves: Readonly<Record<string, readonly string[]>> = {
  EC: ['P-256', 'P-384', 'P-521'],
  OKP: ['Ed25519'],
};

/**
 * The public halves of the keys that may verify a token (Contract 5.4): RSA of at least 2048 bits, EC and Ed25519. Others are
 * left out, since one faulty entry must not hide the rest. A symmetric key would let whoever verifies tokens sign them too.
 * @throws Error when the document is no JWK Set.
 */
export function publicKeySet(document: unknown): JSONWebKeySet {
  return {
    keys: entriesOf(document)
      .filter(isJsonObject)
      .filter((key) => isAcceptable(key) && isForSignatures(key))
      .map(publicHalf),
  };
}

/** The keys of a JWK Set as they stand. @throws Error when the document is no JWK Set, or has an entry that is no key. */
export function keysOf(document: unknown): JWK[] {
  const entries = entriesOf(document);
  return entries.every(isJsonObject) ? entries : notASet();
}

/** The entries of a JWK Set as they stand, keys or not. @throws Error when the document is no JWK Set. */
export function entriesOf(document: unknown): unknown[] {
  const entries = isJsonObject(document) ? document.keys : undefined;
  return Array.isArray(entries) ? entries : notASet();
}

function notASet(): never {
  throw new Error('not a JWK Set: {"keys": [...]}');
}

/** Whether the gateway takes signatures of this key. */
export function isAcceptable({ kty, n, e, crv }: JWK): boolean {
  if (kty !== 'RSA') return typeof crv === 'string' && curves[String(kty)]?.includes(crv) === true;
  const { modulusLength = 0, publicExponent = 0n } = detailsOf({ kty, n, e } as JWK) ?? {};
  // With an exponent of 1 whoever knows the modulus can sign, since a signature is then the padded text itself.
  return modulusLength >= smallestRsaBits && publicExponent > 1n && publicExponent % 2n === 1n;
}

/**
 * Whether a key is for signatures by its own `use` and `key_ops` (RFC 7517, 4.2 and 4.3). A provider may also publish keys for
 * encryption, and does not mean tokens to be signed with them. A private key for signing counts, since its public half verifies.
 */
export function isForSignatures({ use, key_ops: operations, d }: JWK): boolean {
  if (use !== undefined && use !== 'sig') return false;
  if (operations === undefined) return true;
  return (
    Array.isArray(operations) &&
    operations.some((name) => name === 'verify' || (name === 'sign' && d !== undefined))
  );
}

/** Whether the numbers of a public key make one: a point may lie off its curve, or a member be missing. */
export const isWhole = (key: JWK): boolean => detailsOf(key) !== null;

/** What Node.js reads of a public key; null where it is none. */
function detailsOf(key: JWK): AsymmetricKeyDetails | null {
  try {
    return createPublicKey({ key, format: 'jwk' }).asymmetricKeyDetails ?? {};
  } catch {
    return null;
  }
}

/** Each key once: a set that was merged from the sets of several nodes may list a key twice. */
export function distinct(keys: readonly JWK[]): JWK[] {
  return [...new Map(keys.map((key) => [JSON.stringify(key), key])).values()];
}

/** Members are picked, not struck out, so that no private one can slip through. */
function publicHalf({ kty, kid, alg, use, n, e, crv, x, y }: JWK): JWK {
  const members = { kty, kid, alg, use, n, e, crv, x, y };
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
