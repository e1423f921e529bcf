import {
  type DestinationStream,
  type Logger,
  destination as pinoDestination,
  pino,
  stdSerializers,
} from 'pino';
import { type Settings } from '../settings.js';
import { catalogue, type ErrorCode } from '../errors/catalogue.js';
import { type DomainError } from '../errors/domain-error.js';
import { messageOf } from '../errors/message-of.js';
import { terminalLog } from './terminal-log.js';

/** A name of the domain of an e-mail address: what an address may hold (Contract 4.2.11.2), as it is or percent-encoded. */
const domainName = String.raw`(?:[^\s@"'<>()[\],;:/\\=&?%.]|%(?:25)*(?!2|40)[\da-f]{2})+`;

/** Each kind of secret, with a mark that it always contains: to look for the mark first is much faster. */
const secrets: { mark: string; pattern: RegExp; replacement: (found: string) => string }[] = [
  // Tokens: three parts of base64url, of which the first begins a JSON object. A run is cut where that begins, so searched once.
  { mark: 'eyJ', pattern: /[\w.-]+/g, replacement: withoutToken },
  { mark: '://', pattern: /:\/\/[^/\s@"]+@/g, replacement: () => '://[credentials]@' },
  ...[
    { mark: '@', at: '@' },
    // The percent sign may be encoded too, also several times over.
    { mark: '%', at: '%(?:25)*40' },
  ].map(({ mark, at }) => ({
    mark,
    pattern: new RegExp(
      String.raw`[^\s@"'<>()[\],;:/\\=&?]{1,64}${at}${domainName}(?:(?:\.|%(?:25)*2e)${domainName})+`,
      'gi',
    ),
    replacement: () => '[e-mail]',
  })),
];

function withoutToken(run: string): string {
  const start = run.indexOf('eyJ');
  const isToken = start !== -1 && run.slice(start).split('.').length > 2;
  return isToken ? `${run.slice(0, start)}[token]` : run;
}

/** A text without the tokens, e-mail addresses and credentials that are in it. */
export const withoutSecrets = (text: string): string =>
  secrets.reduce(
    (rest, { mark, pattern, replacement }) =>
      rest.includes(mark) ? rest.replace(pattern, replacement) : rest,
    text,
  );

const written = {
  // Lines are written together: a write for each line would take a tenth of the time of an update.
  minLength: 4_096,
  periodicFlush: 50,
  sync: false,
  // What waits at most where nothing can be written. Later lines are lost.
  maxLength: 8 * 1_024 * 1_024,
  // Of 100 ms each. Otherwise the process could not end while it waits for room in a pipe that nobody reads.
  maxWriteRetries: 10,
};

/** Standard output. On a full disk lines wait for a later flush, and the process goes on. @param onLost told how many are lost */
function standardOutput(onLost: (lines: number) => void): DestinationStream {
  const output = pinoDestination(written);
  let lost = 0;
  output.on('error', () => undefined);
  output.on('drop', () => (lost += 1));
  output.on('drain', () => {
    if (lost > 0) onLost(lost);
    lost = 0;
  });
  const flushSync = output.flushSync.bind(output);
  output.flushSync = () => {
    try {
      flushSync();
    } catch {
      // At its end the process would otherwise answer a stop with an error.
    }
  };
  return output;
}

/**
 * The log: one JSON object a line, on standard output unless told otherwise, there at most 50 ms late; a fatal line and
 * the end of the process write what is left. On a terminal, in development, it is for a person to read. No line holds a
 * token, an e-mail address or credentials, wherever they came from: a path, a request id, an error of the database.
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
      // Of an error its message and stack, with those of its causes. Its other properties may hold a caller's input.
      serializers: {
        err: (error: Error) => {
          const { type, stack } = stdSerializers.err(error);
          return { type, message: messageOf(error), stack };
        },
      },
      hooks: { streamWrite: withoutSecrets },
    },
    destination ??
      forAPerson ??
      standardOutput((lines) => log.warn({ lines }, 'lines of the log could not be written and are lost')),
  );
  return log;
}

/** Is told of an error of the catalogue that a caller is answered, and in which request. */
export type Report = (error: DomainError, requestId: string) => void;

/**
 * Writes an error of the catalogue to the log, with what caused it. Only a fault of the service is logged as an error.
 * @param reasonOf says why the service is unavailable; default the message of the cause, and of its causes
 */
export function reportTo(log: Logger, reasonOf: (cause: Error) => string = messageOf): Report {
  return ({ code, details }, requestId) => {
    const { cause } = details;
    log[catalogue[code].status >= 500 ? 'error' : 'debug'](
      { requestId, code, ...(cause instanceof Error && loggedCause(code, cause, reasonOf)) },
      'refused',
    );
  };
}

/** What is away for a while is away for every request: the same stack in each would bury the rest of the log. */
const loggedCause = (code: ErrorCode, cause: Error, reasonOf: (cause: Error) => string): object =>
  code === 'service-unavailable' ? { reason: reasonOf(cause) } : { err: cause };
