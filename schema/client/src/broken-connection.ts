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
