import { type JWTVerifyGetKey } from 'jose';
import { type Settings } from '../settings.js';
import { ensureDevelopmentKey } from './key-development.js';
import { fetchKeySet } from './key-endpoint.js';
import { readKeyFile, type SigningKey } from './key-file.js';
import { createKeySource, type ReportKeys } from './key-source.js';

/** The keys of this installation (Contract 5.4). */
export interface Keys {
  /** Where the keys come from, for the log at startup; contains no secret. */
  description: string;
  /** Finds the public key that a token names. @throws DomainError service-unavailable when no key is known. */
  resolve: JWTVerifyGetKey;
  /** The key that signs tokens; null if an identity provider signs them. */
  signing: SigningKey | null;
}

/**
 * Loads the keys from JWT_JWKS_URL, else from JWT_KEY_FILE, else from the development key file under DATA_DIR. Creates the
 * development key file on first use. The signing key stays the same until a restart. Does not wait for the identity provider,
 * which may be down.
 * @param report receives faults of later loads, for the log
 * @throws Error when the key file cannot be read or used
 */
export async function loadKeys(settings: Settings, report?: ReportKeys): Promise<Keys> {
  const { jwksUrl, keyFile } = settings;
  if (jwksUrl !== undefined) {
    const resolve = createKeySource({ load: () => fetchKeySet(jwksUrl), report });
    // Leave out the query and credentials: they may hold a secret.
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
