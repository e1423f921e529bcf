import { type JSONWebKeySet } from 'jose';
import { publicKeySet } from './key-set.js';

// Short, because a caller may be waiting for the keys.
const timeoutMs = 2_000;
const largestBytes = 256 * 1_024;

interface KeyAnswer {
  /** Unchecked JSON. */
  document: unknown;
  /** The provider's clock, to the second; null without a valid `Date` header. */
  date: Date | null;
}

/** Fetches the public keys: at most 256 KiB, within 2 s, without redirects. @throws Error that names JWT_JWKS_URL and gives the cause */
export async function fetchKeySet(url: string): Promise<JSONWebKeySet> {
  const { document } = await fetchKeyDocument(url);
  try {
    return publicKeySet(document);
  } catch (cause) {
    throw failed(cause);
  }
}

/** Like {@link fetchKeySet}, but unchecked. @throws Error that names JWT_JWKS_URL and gives the cause */
export async function fetchKeyDocument(url: string): Promise<KeyAnswer> {
  try {
    const response = await fetch(url, {
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
      headers: { accept: 'application/jwk-set+json, application/json' },
    });
    if (response.status !== 200) {
      await response.body?.cancel();
      throw new Error(`expected status 200, not ${response.status}`);
    }
    const date = new Date(response.headers.get('date') ?? NaN);
    return {
      document: JSON.parse(await boundedText(response)),
      date: Number.isNaN(date.getTime()) ? null : date,
    };
  } catch (cause) {
    throw failed(cause);
  }
}

const failed = (cause: unknown): Error => new Error('JWT_JWKS_URL: the key set cannot be fetched', { cause });

async function boundedText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const body = response.body as AsyncIterable<Uint8Array> | null;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > largestBytes) throw new Error(`expected at most ${largestBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
