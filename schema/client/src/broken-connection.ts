import { isRecord } from './is-record.js';

/** How browsers say that a connection broke, before the reply or within it. */
const wordsOfBrowsers = [
  ...['Failed to fetch', 'network error'], // Chromium
  ...['NetworkError', 'Error in input stream'], // Firefox
  ...['Load failed', 'The network connection was lost', 'The Internet connection appears to be offline'], // Safari
  'Network request failed', // React Native
];

const wordsOfNode = ['fetch failed', 'terminated'];

/** What Node.js fails with, in the same words, for a request that can never be sent. */
const refusedByNode = /^UND_ERR_(INVALID|NOT_SUPPORTED)/;

/**
 * Whether `fetch` failed because the connection could not be made or broke. It throws a TypeError also for an address or a
 * header that cannot be, and so does a bug; another try escapes none of these.
 */
export function isBrokenConnection(failure: unknown): boolean {
  if (!isRecord(failure) || failure.name !== 'TypeError' || typeof failure.message !== 'string') return false;
  const { message, cause } = failure;
  if (!wordsOfNode.includes(message)) return wordsOfBrowsers.some((words) => message.startsWith(words));
  return isRecord(cause) && typeof cause.code === 'string' && !refusedByNode.test(cause.code);
}
