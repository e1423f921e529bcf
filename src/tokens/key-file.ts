import { readFile } from 'node:fs/promises';
import { calculateJwkThumbprint, importJWK, type CryptoKey, type JSONWebKeySet, type JWK } from 'jose';
import { isAcceptable, isForSignatures, keysOf, publicKeySet, tokenAlgorithms } from './key-set.js';

export interface SigningKey {
  key: CryptoKey;
  kid: string;
  alg: string;
}

export interface KeyFile {
  /** With private parts. A key without a `kid` gets its RFC 7638 thumbprint. */
  keys: (JWK & { kid: string })[];
  /** The first key. */
  signing: SigningKey;
  /** The public halves of all keys. */
  verifying: JSONWebKeySet;
}

/** The message names the file and the fault, never a key. */
export class KeyFileError extends Error {
  override readonly name = 'KeyFileError';
}

/** Reads a JWK Set. The first key signs, so it must be private. All keys verify. @throws KeyFileError */
export async function readKeyFile(path: string): Promise<KeyFile> {
  try {
    const keys = await Promise.all(keysOf(parseJson(await readFile(path, 'utf8'))).map(withKid));
    keys.forEach(assertAcceptable);
    if (new Set(keys.map(({ kid }) => kid)).size < keys.length) throw new Error('two keys have the same kid');
    const verifying = publicKeySet({ keys });
    // Find broken keys now, before a token names one.
    await Promise.all(verifying.keys.map((key) => importJWK(key, signatureAlgorithm(key))));
    return { keys, signing: await signingKey(keys[0]), verifying };
  } catch (cause) {
    throw new KeyFileError(`key file ${path}: ${(cause as Error).message}`, { cause });
  }
}

function signatureAlgorithm({ alg, kty, crv }: JWK): string {
  if (alg !== undefined) return alg;
  if (kty === 'RSA') return 'RS256';
  return { 'P-256': 'ES256', 'P-384': 'ES384', 'P-521': 'ES512' }[String(crv)] ?? 'EdDSA';
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Drop the parser's message: it quotes the private key.
    throw new Error('not JSON');
  }
}

async function withKid(key: JWK): Promise<JWK & { kid: string }> {
  return { ...key, kid: key.kid ?? (await calculateJwkThumbprint(key)) };
}

function assertAcceptable(key: JWK, index: number): void {
  if (!isAcceptable(key))
    throw new Error(
      `key ${index + 1} is not RSA of at least 2048 bits with an odd exponent above 1, EC P-256, P-384 or P-521, or Ed25519`,
    );
  if (!isForSignatures(key)) throw new Error(`key ${index + 1} is not for signatures, by its use or key_ops`);
  if (!tokenAlgorithms.includes(signatureAlgorithm(key)))
    throw new Error(`key ${index + 1} has an alg that is not one of ${tokenAlgorithms.join(', ')}`);
}

async function signingKey(jwk: (JWK & { kid: string }) | undefined): Promise<SigningKey> {
  if (jwk?.d === undefined) throw new Error('the first key must be a private key, to sign tokens');
  const alg = signatureAlgorithm(jwk);
  // `key_ops` may describe only the public half (`verify`), and would then keep the private key from signing.
  const members: JWK = { ...jwk };
  delete members.key_ops;
  return { key: (await importJWK(members, alg)) as CryptoKey, kid: jwk.kid, alg };
}
