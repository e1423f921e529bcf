import { withoutSecrets } from '../log/log.js';

/** `fail` means that the gateway cannot start. */
export interface Finding {
  level: 'ok' | 'warn' | 'fail';
  /** Such as `port`. */
  subject: string;
  what: string;
  /** Empty for `ok`. */
  fix: string;
}

const widest = 'settings'.length;

export const about = (subject: string) => ({
  ok: (what: string): Finding => ({ level: 'ok', subject, what, fix: '' }),
  warn: (what: string, fix: string): Finding => ({ level: 'warn', subject, what, fix }),
  fail: (what: string, fix: string): Finding => ({ level: 'fail', subject, what, fix }),
});

/** Removes secrets, because an error message may contain some. */
export function lineOf({ level, subject, what, fix }: Finding): string {
  const text = `${level.padEnd(4)}  ${subject.padEnd(widest)}  ${what}${fix ? `  — ${fix}` : ''}`;
  return withoutSecrets(text.replace(/\s*\n\s*/g, '; '));
}
