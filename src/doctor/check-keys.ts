import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { developmentKeyPath } from '../tokens/key-development.js';
import { fetchKeyDocument } from '../tokens/key-endpoint.js';
import { readKeyFile } from '../tokens/key-file.js';
import { entriesOf, isWhole, publicKeySet } from '../tokens/key-set.js';
import { readProviders } from '../tokens/providers.js';
import { messageWithCauses } from '../errors/messages.js';
import { type Settings } from '../settings/settings.js';
import { isJsonObject } from '../text/read-json.js';
import { about, type Finding } from './finding.js';

const { ok, warn } = about('keys');
/** As long as the gateway waits for keys. */
const replyMs = 2_000;
const othersMay = 0o077;
const othersMayWrite = 0o022;

/** @throws ProvidersError, KeyFileError */
export async function checkKeys(settings: Settings): Promise<Finding[]> {
  const { jwtProviders, jwksUrl: oneUrl, keyFile, dataDir, environment } = settings;
  const providers = await readProviders(settings);
  const findings = await Promise.all(
    providers.map(async ({ issuer, jwksUrl, keys }) => {
      const name = jwtProviders === undefined ? 'JWT_JWKS_URL' : `the provider ${issuer}`;
      if (keys) return [ok(`${name} has ${keys.keys.length} keys in JWT_PROVIDERS`)];
      return jwksUrl === undefined ? [] : checkEndpoint(name, jwksUrl, environment === 'production');
    }),
  );
  if (jwtProviders !== undefined && (oneUrl ?? keyFile) !== undefined)
    findings.push([warn('JWT_JWKS_URL and JWT_KEY_FILE have no effect beside JWT_PROVIDERS', 'remove them')]);
  if (findings.flat().length > 0) return findings.flat();
  if (keyFile !== undefined) return [await checkFile(`the key file ${keyFile}`, keyFile)];
  const path = developmentKeyPath(dataDir);
  if (existsSync(path)) return [await checkFile(`the development key ${path}`, path)];
  return [ok('the development key will be made on the first start, in DATA_DIR')];
}

async function checkFile(name: string, path: string): Promise<Finding> {
  const { verifying } = await readKeyFile(path);
  const { mode, uid } = await stat(path);
  const isOwn = uid === process.getuid?.();
  if (isOwn && (mode & othersMay) !== 0) return warn(`${name} can be read by others`, `chmod 600 ${path}`);
  // Another user's file must be readable by others, or this user could not read it. Windows has no permission bits.
  if (!isOwn && process.platform !== 'win32' && (mode & othersMayWrite) !== 0)
    return warn(`${name} can be changed by others`, `chmod go-w ${path}`);
  return ok(`${name} signs, and ${verifying.keys.length} of its keys verify`);
}

/** Only warns: the gateway starts without the identity provider. */
async function checkEndpoint(name: string, url: string, isProduction: boolean) {
  try {
    const document = await fetchKeyDocument(url, AbortSignal.timeout(replyMs));
    // Keycloak publishes a key for encryption beside the keys that sign.
    const keys = entriesOf(document).filter((key) => !isJsonObject(key) || key.use !== 'enc');
    const usable = publicKeySet(document).keys.filter(isWhole).length;
    const isOpen = isProduction && new URL(url).protocol === 'http:';
    return [
      usableFinding(name, keys.length, usable),
      ...(isOpen ? [warn(`${name} is not encrypted: anyone in between can add a key`, 'use https')] : []),
    ];
  } catch (error) {
    return [
      warn(
        `${name}: ${messageWithCauses(error)}: until it answers, requests with its tokens get 503`,
        'fix the URL, or open the network path to it',
      ),
    ];
  }
}

function usableFinding(name: string, all: number, usable: number): Finding {
  if (usable === 0)
    return warn(
      `the key set of ${name} has ${all} keys, but none that can be used: requests with its tokens get 503`,
      'publish an RSA key of at least 2048 bits, or an EC or Ed25519 key',
    );
  if (usable < all)
    return warn(
      `${all - usable} of the ${all} keys of ${name} are broken, too weak, of an unknown kind or not for signatures: their tokens are rejected`,
      'replace them with EC or Ed25519 keys, or RSA keys of at least 2048 bits, with the use sig',
    );
  return ok(`${name} answers with ${usable} usable keys`);
}
