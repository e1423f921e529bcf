import { type JWTVerifyGetKey } from 'jose';
import { type Settings } from '../settings/settings.js';
import { ensureDevelopmentKey } from './key-development.js';
import { fetchKeySet } from './key-endpoint.js';
import { readKeyFile, type SigningKey } from './key-file.js';
import { createKeySource, type ReportKeys } from './key-source.js';

export interface Keys {
  /** Where the keys come from, for the log; contains no secret. */
  description: string;
  /** @throws DomainError service-unavailable when no key is known */
  resolve: JWTVerifyGetKey;
  /** Null if an identity provider signs the tokens. */
  signing: SigningKey | null;
}

/**
 * Loads the keys from JWT_JWKS_URL, else from JWT_KEY_FILE, else from the development key file under DATA_DIR, which is created on first
 * use. The signing key stays the same until a restart. Does not wait for the identity provider, which may be down.
 * @throws Error when the key file cannot be read or used
 */
export async function loadKeys(settings: Settings, report?: ReportKeys): Promise<Keys> {
  const { jwksUrl, keyFile } = settings;
  if (jwksUrl !== undefined) {
    const resolve = createKeySource({ load: () => fetchKeySet(jwksUrl), report });
    // Leave out the query and credentials, which may be secret.
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
