import { type Logger } from 'pino';

/**
 * Reports a record that another program has damaged, and that is skipped.
 * @param kind of the record, such as `job`
 */
export type ReportDamaged = (kind: string, publicId: string, why: Error) => void;

/** Logs each damaged record once per process and reader: a task, or the lists. */
export function damagedRecordsLog(log: Logger) {
  const logged = new Set<string>();
  return (reader: string, ...[kind, publicId, err]: Parameters<ReportDamaged>): void => {
    const key = JSON.stringify([reader, kind, publicId]);
    if (logged.has(key)) return;
    logged.add(key);
    log.error({ task: reader, kind, publicId, err }, 'a damaged record is skipped');
  };
}
