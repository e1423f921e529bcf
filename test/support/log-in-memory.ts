import { createLog } from '../../src/log/log.js';
import { type Settings } from '../../src/settings/settings.js';

/** A gateway's log whose lines a test can read: as texts, which it may clear, and parsed. */
export function logInMemory(logLevel: Settings['logLevel'] = 'info') {
  const lines: string[] = [];
  const log = createLog({ logLevel, environment: 'test' }, { write: (line) => void lines.push(line) });
  return { log, lines, parsed: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
}
