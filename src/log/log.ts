import {
  type DestinationStream,
  type Logger,
  destination as pinoDestination,
  pino,
  stdSerializers,
} from 'pino';
import { type Settings } from '../settings/settings.js';
import { catalogue, type ErrorCode } from '../errors/catalogue.js';
import { type DomainError } from '../errors/domain-error.js';
import { messageWithCauses } from '../errors/messages.js';
import { onceAMinute } from './once-a-minute.js';
import { terminalLog } from './terminal-log.js';

/** A label of an e-mail address's domain; letters outside of ASCII may be percent-encoded. */
const domainName = String.raw`(?:[^\s@"'<>()[\],;:/\\=&?%.]|%(?:25)*(?!2)[\da-f]{2})+`;

const email = new RegExp(String.raw`[^\s@"'<>()[\],;:/\\=&?]{1,64}@${domainName}(?:\.${domainName})+`, 'gi');

/** A token has three base64url parts. */
const threeParts = /(?<![\w-])[\w-]+(?:\.[\w-]*){2,}/g;

export const withoutTokens = (text: string): string => text.replace(threeParts, withoutToken);

function withoutToken(run: string): string {
  const parts = run.split('.');
  const header = parts.findIndex(
    (part, at) => at < parts.length - 2 && part.length > 5 && isJsonObject(part),
  );
  return header === -1 ? run : [...parts.slice(0, header), '[token]'].join('.');
}

/** Whether the part encodes the beginning of a JSON object, even behind other characters of base64url. */
const isJsonObject = (part: string): boolean =>
  [0, 1, 2, 3].some((at) => /\{\s*"/.test(Buffer.from(part.slice(at), 'base64url').toString('latin1')));

const withoutCredentials = (text: string): string => text.replace(/\/\/[^/\s"]+@/g, '//[credentials]@');

const redacted = (text: string): string => {
  const rest = withoutTokens(text);
  return rest.includes('@') ? withoutCredentials(rest).replace(email, '[e-mail]') : rest;
};

/** The percent-encoded characters that secrets consist of: `-./0-9:@A-Z_a-z~`. The percent sign may be encoded too, even several times. */
const encoded = /%(?:25)*(2[def]|3[\da]|4[\da-f]|5[\daf]|6[1-9a-f]|7[\dae])/gi;

/** Replaces tokens, e-mail addresses and credentials, percent-encoded or not. */
export function withoutSecrets(text: string): string {
  // First as written: once decoded, the `/` of a password would end the credentials.
  const raw = withoutCredentials(text);
  const decoded = raw.replace(encoded, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  const rest = redacted(decoded);
  return rest === decoded ? raw : rest;
}

const written = {
  // One write per line would take a tenth of an update's time.
  minLength: 4_096,
  periodicFlush: 50,
  sync: false,
  // Bytes that may wait while nothing can be written; further lines are dropped.
  maxLength: 8 * 1_024 * 1_024,
  // 100 ms each. Without a limit, the process could never exit while it writes to a pipe that nobody reads.
  maxWriteRetries: 10,
};

let lostLines = 0;

/** How many lines this process has not been able to write. */
export const lostLogLines = (): number => lostLines;

/**
 * If the disk is full, lines wait for a later flush and the process continues.
 * @param onLost gets the number of lost lines
 */
function standardOutput(onLost: (lines: number) => void): DestinationStream {
  const output = pinoDestination(written);
  let reported = lostLines;
  output.on('error', () => undefined);
  output.on('drop', () => (lostLines += 1));
  output.on('drain', () => {
    if (lostLines > reported) onLost(lostLines - reported);
    reported = lostLines;
  });
  const flushSync = output.flushSync.bind(output);
  output.flushSync = () => {
    try {
      flushSync();
    } catch {
      // A process that cannot write its last lines should still exit without a failure.
    }
  };
  return output;
}

/**
 * Writes one JSON object per line, by default to standard output, with a delay of at most 50 ms. A fatal line or the end of the process
 * flushes waiting lines. On a terminal in development, lines are formatted for people. Tokens, e-mail addresses and credentials are
 * removed from every line, whatever their source.
 */
export function createLog(
  { logLevel, environment }: Pick<Settings, 'logLevel' | 'environment'>,
  destination?: DestinationStream,
): Logger {
  const isForAPerson = environment === 'development' && process.stdout.isTTY;
  const forAPerson = isForAPerson ? terminalLog((text) => process.stdout.write(text)) : null;

  const log = pino(
    {
      level: logLevel,
      // Log only types, messages and stacks: other properties of an error may hold a caller's input.
      serializers: {
        err: (error: Error) => {
          const { type, stack } = stdSerializers.err(error);
          return { type, message: messageWithCauses(error), stack };
        },
      },
      hooks: { streamWrite: withoutSecrets },
    },
    destination ??
      forAPerson ??
      standardOutput((lines) => log.warn({ lines }, 'log lines could not be written and are lost')),
  );
  return log;
}

/** Receives the errors that a reply returns to its caller. */
export type Report = (
  errors: readonly DomainError[],
  call: { requestId: string; address: string | null },
) => void;

/** A caller with many such errors needs help, or tries tokens. */
const suspect: readonly ErrorCode[] = ['unauthorized-limitation', 'rate-limit-exceeded'];

/**
 * Logs 5xx errors at level `error` and all others at level `debug`, with their causes. For lack of authority or quota, also warns of the
 * address, once a minute.
 * @param reasonOf returns why the service is unavailable; by default, the messages of the cause and of every cause below it
 */
export function reportTo(log: Logger, reasonOf: (cause: Error) => string = messageWithCauses): Report {
  const warn = onceAMinute((address, count, latest: { requestId: string; code: ErrorCode }) =>
    log.warn({ address, count, ...latest }, 'an address was refused'),
  );
  return (errors, { requestId, address }) => {
    for (const { code, details } of errors) {
      const { cause } = details;
      log[catalogue[code].status >= 500 ? 'error' : 'debug'](
        { requestId, code, ...(cause instanceof Error && loggedCause(code, cause, reasonOf)) },
        'refused',
      );
    }
    const suspected = errors.find(({ code }) => suspect.includes(code));
    if (suspected && address !== null) warn(address, { requestId, code: suspected.code });
  };
}

/** During an outage every request fails: the same stack each time would bury the rest of the log. */
const loggedCause = (code: ErrorCode, cause: Error, reasonOf: (cause: Error) => string): object =>
  code === 'service-unavailable' ? { reason: reasonOf(cause) } : { err: cause };
