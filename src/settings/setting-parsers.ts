import { isIP } from 'node:net';
import { parseHttpUrl as readHttpUrl } from '../text/parse-url.rules.js';

export interface Quota {
  limit: number;
  durationSeconds: number;
}

/** @throws Error that says what was expected */
export type Parser<T> = (text: string) => T;

const unitsMs = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const unitNames = Object.keys(unitsMs).join('|');
/** Node.js fires a longer timer at once. */
const longestTimerDays = 24;
/** Some timers run four times as long as a timeout setting. */
const longestTimeoutDays = longestTimerDays / 4;
/** Today plus or minus this duration is a valid date. */
const longestDurationDays = 3_650;

function fail(expected: string): never {
  throw new Error(`expected ${expected}`);
}

export const parseText: Parser<string> = (text) => text;

export const parseInteger =
  (minimum: number, maximum: number): Parser<number> =>
  (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < minimum || value > maximum)
      fail(`a whole number from ${minimum} to ${maximum}`);
    return value;
  };

const parseDurationUpTo =
  (longestDays: number, examples: string): Parser<number> =>
  (text) => {
    const match = new RegExp(`^(\\d+)(${unitNames})$`).exec(text);
    const valueMs = Number(match?.[1]) * (unitsMs[match?.[2] as keyof typeof unitsMs] ?? NaN);
    if (!(valueMs > 0 && valueMs <= longestDays * unitsMs.d))
      fail(`a duration such as ${examples}, of at most ${longestDays}d`);
    return valueMs;
  };

/** At most 3650d. */
export const parseDurationMs = parseDurationUpTo(longestDurationDays, '500ms, 5s, 1m, 24h or 90d');

/** At most 6d. */
export const parseTimeoutMs = parseDurationUpTo(longestTimeoutDays, '500ms, 5s, 1m or 24h');

const parseAtLeast =
  (shortestMs: number, parse: Parser<number>, spelled: string): Parser<number> =>
  (text) => {
    const valueMs = parse(text);
    return valueMs >= shortestMs ? valueMs : fail(`a duration of at least ${spelled}`);
  };

/** 24h to 3650d. */
export const parseLongDurationMs = parseAtLeast(unitsMs.d, parseDurationMs, '24h, such as 365d');
export const parseRetentionMs = parseAtLeast(30 * unitsMs.d, parseDurationMs, '30d, such as 365d');
/** 100ms to 6d. With a shorter timeout, a busy machine would answer only 503. */
export const parseAnswerTimeMs = parseAtLeast(100, parseTimeoutMs, '100ms, such as 1500ms');

export const parseQuota: Parser<Quota> = (text) => {
  const [limitText = '', durationText = '', ...rest] = text.split('/');
  try {
    const limit = parseInteger(1, 1_000_000_000)(limitText);
    const durationMs = parseDurationMs(durationText);
    if (rest.length === 0 && durationMs % unitsMs.s === 0 && durationMs <= longestTimerDays * unitsMs.d)
      return { limit, durationSeconds: durationMs / unitsMs.s };
  } catch {
    // The message below describes the whole quota.
  }
  return fail(`a quota in whole seconds such as 2/1s or 100/1m, of at most ${longestTimerDays}d`);
};

export const parseBytes: Parser<number> = (text) => {
  const match = /^(\d{1,6})(KiB|MiB)$/.exec(text);
  const bytes = Number(match?.[1]) * (match?.[2] === 'MiB' ? 1_048_576 : 1_024);
  if (!(bytes > 0 && bytes <= 1_073_741_824)) fail('a size such as 512KiB or 5MiB');
  return bytes;
};

export const parseChoice =
  <T extends string>(...choices: readonly T[]): Parser<T> =>
  (text) =>
    choices.find((choice) => choice === text) ?? fail(`one of ${choices.join(', ')}`);

/** Returns the URL unchanged. Rejects a user name, as `fetch` does. */
export const parseHttpUrl: Parser<string> = (text) =>
  readHttpUrl(text) ? text : fail('an http or https URL without user');

/** Removes trailing slashes, because callers append paths, and escapes the URL, because pages show it. */
export const parseBaseUrl: Parser<string> = (text) =>
  /[@?#]/.test(text)
    ? fail('an http or https URL without user, query and fragment')
    : new URL(parseHttpUrl(text)).href.replace(/\/+$/, '');

export const parseMongodbUri: Parser<string> = (text) =>
  /^mongodb(\+srv)?:\/\/./.test(text) ? text : fail('a mongodb:// or mongodb+srv:// URI');

export class EntryError extends Error {
  override readonly name = 'EntryError';

  constructor(
    message: string,
    readonly entry: string,
  ) {
    super(message);
  }
}

/** @throws EntryError for the first invalid entry */
export const parseList =
  <T>(parse: Parser<T>): Parser<readonly T[]> =>
  (text) =>
    text
      .split(',')
      .map((entry) => entry.trim())
      .filter(Boolean)
      .map((entry) => {
        try {
          return parse(entry);
        } catch (error) {
          throw new EntryError((error as Error).message, entry);
        }
      });

/** Fastify accepts only CIDR prefixes of at least 1, and IPv6 zones of letters and digits. */
export const parseAddressRange: Parser<string> = (text) => {
  const [address = '', prefix = '1', ...rest] = text.split('/');
  const isPrefix = /^\d+$/.test(prefix) && +prefix >= 1 && +prefix <= (isIP(address) === 4 ? 32 : 128);
  if (!isIP(address) || /%.*[^\da-z]/i.test(address) || !isPrefix || rest.length > 0)
    fail('an IP address or a range such as 10.0.0.0/8');
  return text;
};

/** Spells a value as an operator would write it: `1500ms`, `2/1s`, `1MiB`. The suffix `Ms` or `Bytes` of the name tells the unit. */
export function spellSetting(name: string, value: unknown): unknown {
  if (name.endsWith('Ms')) return spellDuration(value as number);
  if (name.endsWith('Bytes')) {
    const kibibytes = (value as number) / 1_024;
    return kibibytes % 1_024 === 0 ? `${kibibytes / 1_024}MiB` : `${kibibytes}KiB`;
  }
  if (Array.isArray(value)) return value.join(',');
  if (typeof value !== 'object' || value === null) return value;
  const { limit, durationSeconds } = value as Quota;
  return `${limit}/${spellDuration(durationSeconds * unitsMs.s)}`;
}

function spellDuration(valueMs: number): string {
  const [unit, unitMs] = Object.entries(unitsMs).findLast(([, ms]) => valueMs % ms === 0) ?? [];
  return `${valueMs / (unitMs ?? 1)}${unit}`;
}
