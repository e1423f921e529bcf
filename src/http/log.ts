import { type Logger, pino, stdSerializers } from 'pino';
import { type Settings } from '../settings.js';
import { catalogue } from '../errors/catalogue.js';
import { type DomainError } from '../errors/domain-error.js';

const secrets: [RegExp, string][] = [
  // Tokens: three parts of base64url, the first of which begins a JSON object.
  [/eyJ[\w-]+\.[\w-]+\.[\w-]*/g, '[token]'],
  [/[^\s@"'<>()[\],;:]{1,64}@[a-z\d-]+(?:\.[a-z\d-]+)+/gi, '[e-mail]'],
  [/:\/\/[^/\s@]+@/g, '://[credentials]@'],
];

/** A text without the tokens, e-mail addresses and credentials that are in it. */
export const withoutSecrets = (text: string): string =>
  secrets.reduce((rest, [pattern, replacement]) => rest.replace(pattern, replacement), text);

/** The log: one JSON object a line, on standard output; nothing secret is in an error that it is given. */
export function createLog({ logLevel }: Pick<Settings, 'logLevel'>): Logger {
  return pino({
    level: logLevel,
    serializers: {
      err: (error: Error) => {
        const { type, message, stack } = stdSerializers.errWithCause(error);
        return { type, message: withoutSecrets(message), stack: withoutSecrets(stack) };
      },
    },
  });
}

/** Writes an error of the catalogue to the log, once, with what caused it. */
export function reportTo(log: Logger): (error: DomainError, requestId: string) => void {
  return ({ code, details }, requestId) => {
    const { cause } = details;
    log[catalogue[code].logLevel](
      { requestId, code, ...(cause instanceof Error && { err: cause }) },
      'refused',
    );
  };
}
