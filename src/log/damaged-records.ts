import { type Logger } from 'pino';
import { type ReportDamaged } from '../content/report-damaged.js';

/** Logs each damaged record once per process and reader: a task, or the lists. */
export function damagedRecordsLog(
  log: Logger,
): (reader: string, ...record: Parameters<ReportDamaged>) => void {
  const logged = new Set<string>();
  return (reader, kind, publicId, err) => {
    const key = JSON.stringify([reader, kind, publicId]);
    if (logged.has(key)) return;
    logged.add(key);
    log.error({ task: reader, kind, publicId, err }, 'a damaged record is skipped');
  };
}
