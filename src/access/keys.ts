import { type JWTVerifyGetKey } from 'jose';
import { type Settings } from '../settings.js';
import { ensureDevelopmentKey } from './key-development.js';
import { fetchKeySet } from './key-endpoint.js';
import { readKeyFile, type SigningKey } from './key-file.js';
import { createKeySource, type ReportKeys } from './key-source.js';

/** The keys of this installation (Contract 5.4). */
export interface Keys {
  /** Where the keys come from, for the start log; no secret. */
  description: string;
  /** Finds the public key that a token names. @throws DomainError service-unavailable when no key is known. */
  resolve: JWTVerifyGetKey;
  /** What signs tokens here; null where an identity provider does. */
  signing: SigningKey | null;
}

/**
 * The keys of JWT_JWKS_URL; if it is not set, those of JWT_KEY_FILE; if neither is, the development key under DATA_DIR, made on
 * first use.
 * The key that signs is chosen here, once; an identity provider need not be up yet.
 * @param report told of what is wrong with the keys when they are read later, for the log.
 * @throws Error when the key file cannot be read or used.
 */
export async function loadKeys(settings: Settings, report?: ReportKeys): Promise<Keys> {
  const { jwksUrl, keyFile } = settings;
  if (jwksUrl !== undefined) {
    const resolve = createKeySource({ load: () => fetchKeySet(jwksUrl), report });
    // What comes after may hold a secret.
    const { origin, pathname } = new URL(jwksUrl);
    return { description: `the key set at ${origin}${pathname}`, resolve, signing: null };
  }
  const path = keyFile ?? (await ensureDevelopmentKey(settings.dataDir));
  const { signing, verifying } = await readKeyFile(path);
  const load = async () => (await readKeyFile(path)).verifying;
  return {
    description: `the ${keyFile === undefined ? 'development key' : 'key file'} ${path}`,
    resolve: createKeySource({ load, initial: verifying, report }),
    signing,
  };
}
