import { type DestinationStream, levels } from 'pino';
import { type Definition, settingsTable } from '../settings-table.js';

/** Fields that a line shows in places of their own, or that whoever sits at the terminal knows. */
const placed = new Set(['level', 'time', 'pid', 'hostname', 'msg', 'err', 'method', 'path', 'status', 'ms']);

interface Line extends Record<string, unknown> {
  level: number;
  time: number;
  msg: string;
  settings?: Record<string, unknown>;
  err?: { stack?: string };
}

/**
 * The log for a person at a terminal: each line of JSON as a line of text, and an error's stack beneath it. pino-pretty would
 * bring 13 packages into production, and functions as long as these to place a request's fields, units and chosen settings.
 */
export const terminalLog = (write: (text: string) => void): DestinationStream => ({
  write: (line) => write(readable(JSON.parse(line) as Line)),
});

function readable({ settings = {}, ...line }: Line): string {
  const { level, time, msg, method, path, status, ms, err } = line;
  const rest = Object.entries({ ...line, ...withoutDefaults(settings) }).filter(
    ([name]) => !placed.has(name),
  );
  const parts = [
    new Date(time).toTimeString().slice(0, 8),
    (levels.labels[level] ?? String(level)).toUpperCase().padEnd(5),
    ...(method === undefined ? [msg] : [method, path, status, `${String(ms)} ms`]),
    ...rest.map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`),
  ];
  return `${parts.join(' ')}\n${err?.stack ? `${err.stack.replace(/^/gm, '  ')}\n` : ''}`;
}

/** What was chosen for this start. */
const withoutDefaults = (settings: Record<string, unknown>): Record<string, unknown> => {
  const defaults = new Map(
    Object.values<Definition>(settingsTable).map(({ variable, default: text }) => [variable, text]),
  );
  return Object.fromEntries(
    Object.entries(settings).filter(([variable, value]) => String(value) !== defaults.get(variable)),
  );
};
