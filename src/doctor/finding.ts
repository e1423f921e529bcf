import { withoutSecrets } from '../log/log.js';

/** One thing that the doctor found. `fail` means that the gateway cannot start. */
export interface Finding {
  level: 'ok' | 'warn' | 'fail';
  subject: Subject;
  what: string;
  /** How to fix it; empty for `ok`. */
  fix: string;
}

export type Subject =
  | 'settings'
  | 'node'
  | 'port'
  | 'url'
  | 'keys'
  | 'trusted'
  | 'database'
  | 'indexes'
  | 'clock'
  | 'data'
  | 'archiver'
  | 'traces';

const widest = 'settings'.length;

export const about = (subject: Subject) => ({
  ok: (what: string): Finding => ({ level: 'ok', subject, what, fix: '' }),
  warn: (what: string, fix: string): Finding => ({ level: 'warn', subject, what, fix }),
  fail: (what: string, fix: string): Finding => ({ level: 'fail', subject, what, fix }),
});

/** The finding on one line. Removes secrets, because an error message may contain some. */
export function lineOf({ level, subject, what, fix }: Finding): string {
  const text = `${level.padEnd(4)}  ${subject.padEnd(widest)}  ${what}${fix ? `  — ${fix}` : ''}`;
  return withoutSecrets(text.replace(/\s*\n\s*/g, '; '));
}
