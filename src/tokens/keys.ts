import { createLocalJWKSet } from 'jose';
import { pathToFileURL } from 'node:url';
import { type Settings } from '../settings/settings.js';
import { ensureDevelopmentKey } from './key-development.js';
import { fetchKeyDocument } from './key-endpoint.js';
import { readKeyFile, type SigningKey } from './key-file.js';
import { publicKeySet } from './key-set.js';
import { createKeySource, type KeySource, type ReportKeys } from './key-source.js';
import { type Provider, readProviders } from './providers.js';

export type TrustedProvider = Provider & KeySource;

export interface Keys {
  /** Where the keys come from, for the log; contains no secret. */
  description: string;
  providers: readonly TrustedProvider[];
  /** Null if an identity provider signs the tokens. */
  signing: SigningKey | null;
}

/**
 * Loads the keys from JWT_PROVIDERS, else from JWT_JWKS_URL, else from JWT_KEY_FILE, else from the development key file under DATA_DIR,
 * which is created on first use. The signing key stays the same until a restart. Does not wait for an identity provider, which may be
 * down.
 * @throws ProvidersError, or KeyFileError when the key file cannot be read or used
 */
export async function loadKeys(settings: Settings, report?: ReportKeys): Promise<Keys> {
  const providers = await readProviders(settings);
  if (providers.every(({ jwksUrl, keys }) => jwksUrl ?? keys))
    return {
      description: providers.map(describe).join(', '),
      providers: providers.map((provider) => ({ ...provider, ...sourceOf(provider, report) })),
      signing: null,
    };
  const path = settings.keyFile ?? (await ensureDevelopmentKey(settings.dataDir));
  const { signing } = await readKeyFile(path);
  const load = async () => (await readKeyFile(path)).verifying;
  const source = createKeySource({ url: pathToFileURL(path), load, report });
  return {
    description: `the ${settings.keyFile === undefined ? 'development key' : 'key file'} ${path}`,
    providers: providers.map((provider) => ({ ...provider, ...source })),
    signing,
  };
}

function describe({ issuer, jwksUrl }: Provider): string {
  if (jwksUrl === undefined) return `the keys of ${issuer} in JWT_PROVIDERS`;
  // Leave out the query and credentials, which may be secret.
  const { origin, pathname } = new URL(jwksUrl);
  return `the key set at ${origin}${pathname}`;
}

function sourceOf({ issuer, jwksUrl = '', keys }: Provider, report?: ReportKeys): KeySource {
  if (keys) return { resolve: createLocalJWKSet(keys), staleSeconds: () => 0, isWell: async () => true };
  return createKeySource({
    url: new URL(jwksUrl),
    load: async (signal) => publicKeySet(await fetchKeyDocument(jwksUrl, signal)),
    report: report && ((what, fault) => report(`${issuer}: ${what}`, fault)),
  });
}
