import { withoutSecrets } from '../http/log.js';

/** What the doctor found; `fail` is what keeps the gateway from starting. */
export interface Finding {
  level: 'ok' | 'warn' | 'fail';
  subject: Subject;
  what: string;
  /** How to mend it. */
  mend?: string;
}

export type Subject =
  | 'settings'
  | 'node'
  | 'port'
  | 'url'
  | 'keys'
  | 'database'
  | 'indexes'
  | 'clock'
  | 'data'
  | 'archiver'
  | 'traces';

const widest = 'settings'.length;

/** How findings about a subject are made. */
export const about = (subject: Subject) => ({
  ok: (what: string, mend?: string): Finding => ({ level: 'ok', subject, what, ...(mend && { mend }) }),
  warn: (what: string, mend: string): Finding => ({ level: 'warn', subject, what, mend }),
  fail: (what: string, mend: string): Finding => ({ level: 'fail', subject, what, mend }),
});

/** The finding on one line, without any secret that an error may have brought. */
export function lineOf({ level, subject, what, mend }: Finding): string {
  const text = `${level.padEnd(4)}  ${subject.padEnd(widest)}  ${what}${mend ? `  — ${mend}` : ''}`;
  return withoutSecrets(text.replace(/\s*\n\s*/g, '; '));
}

/** What an error says, with what its cause says. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // A fetch that found nobody says so only in its cause's cause, and there sometimes only as a code.
  const { code } = error as NodeJS.ErrnoException;
  const own = error.message || code || error.name;
  const cause = error.cause instanceof Error ? messageOf(error.cause) : '';
  return cause === '' || own.includes(cause) ? own : `${own}: ${cause}`;
}
