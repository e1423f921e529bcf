import { createRequire } from 'node:module';
import { type DestinationStream } from 'pino';
import type PinoPretty from 'pino-pretty';
import { type Definition, settingsTable } from '../settings/settings-table.js';

/** Formats the log for people. Null if the dev dependency pino-pretty is not installed: the log then stays JSON. */
export function terminalLog(write: (text: string) => void): DestinationStream | null {
  const pretty = pinoPretty()?.prettyFactory({
    translateTime: 'SYS:HH:MM:ss',
    singleLine: true,
    ignore: 'pid,hostname,method,path,status,ms',
    messageFormat: ({ method, path, status, ms, msg }) =>
      method === undefined ? String(msg) : [method, path, status, ms, 'ms'].join(' '),
    // pino-pretty prints the returned object as JSON.
    customPrettifiers: {
      settings: (settings) => withoutDefaults(Object(settings) as object) as unknown as string,
    },
  });
  return pretty ? { write: (line) => write(pretty(line)) } : null;
}

function pinoPretty(): typeof PinoPretty | null {
  try {
    return createRequire(import.meta.url)('pino-pretty') as typeof PinoPretty;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
    return null;
  }
}

function withoutDefaults(settings: object): object {
  const defaults = new Map(
    Object.values<Definition>(settingsTable).map(({ variable, default: text }) => [variable, text]),
  );
  return Object.fromEntries(
    Object.entries(settings).filter(([variable, value]) => String(value) !== defaults.get(variable)),
  );
}
