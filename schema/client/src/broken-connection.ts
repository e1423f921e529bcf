import { isRecord } from './is-record.js';

/** How each browser's error message begins if the connection breaks, before or during the reply. */
const wordsOfBrowsers = [
  ...['Failed to fetch', 'network error'], // Chromium
  ...['NetworkError', 'Error in input stream'], // Firefox
  ...['Load failed', 'The network connection was lost', 'The Internet connection appears to be offline'], // Safari
  'Network request failed', // React Native
];

const wordsOfNode = ['fetch failed', 'terminated'];

/** Error codes of Node.js for a request that can never be sent. The error's message is the same as for a broken connection. */
const refusedByNode = /^UND_ERR_(INVALID|NOT_SUPPORTED)/;

/** Whether `fetch` could not connect, or the connection broke. Invalid URLs, invalid headers and bugs also cause a TypeError. */
export function isBrokenConnection(failure: unknown): boolean {
  if (!isRecord(failure) || failure.name !== 'TypeError' || typeof failure.message !== 'string') return false;
  const { message, cause } = failure;
  if (!wordsOfNode.includes(message)) return wordsOfBrowsers.some((words) => message.startsWith(words));
  return isRecord(cause) && typeof cause.code === 'string' && !refusedByNode.test(cause.code);
}

/**
 * The first call of a link could not connect. A wrong address, list of origins or certificate stays wrong, so the link does not retry. The
 * message tells developers what to check; `cause` is the error of `fetch`.
 */
export class UnreachedGatewayError extends Error {
  override readonly name = 'UnreachedGatewayError';

  constructor(cause: unknown) {
    const { cause: reason } = isRecord(cause) ? cause : {};
    const code = isRecord(reason) && typeof reason.code === 'string' ? ` (${reason.code})` : '';
    // Node.js has no `location`.
    const { location: page } = globalThis as { location?: { origin: string } };
    const checks = [
      'the address: does a gateway run there, and /health answer? A page with https cannot call an address with http.',
      page &&
        `CORS: the gateway's setting CORS_ORIGINS must contain ${page.origin}, the origin of this page.`,
      'the certificate: a browser must trust it.',
    ];
    const list = checks.filter((check) => check !== undefined).map((check) => `\n- ${check}`);
    super(`The first call did not reach the gateway${code}. Check${list.join('')}`, { cause });
  }
}
