import { type Logger } from 'pino';
import { type Keys } from '../tokens/keys.js';
import { type Database } from '../database/connect.js';
import { outageReason, watchPool } from '../database/watch-client.js';
import { type UnreadableRecord } from '../database/readable-records.js';
import { type Report, reportTo } from '../log/log.js';
import { createMetrics } from '../metrics/metrics.js';
import { type Settings } from '../settings/settings.js';
import { type Tracing } from '../tracing/start-tracing.js';

export type Reporting = ReturnType<typeof createReporting>;

/** Creates the metrics, and connects what the parts of the gateway report to the metrics and the log. */
export function createReporting(
  settings: Settings,
  { connection, tasks }: Database,
  { keys, log, tracing }: { keys: Keys; log: Logger; tracing: Tracing | undefined },
) {
  const metrics = createMetrics();
  for (const { issuer, staleSeconds } of keys.providers) metrics.staleKeys.set(issuer, staleSeconds);
  const unreadable = new Set<string>();
  for (const [pool, each] of Object.entries({ requests: connection, tasks })) {
    const client = each.getClient();
    metrics.pools.set(pool, watchPool(client));
    tracing?.traceCommands(client);
    each.on('missingIndex', (index) =>
      log.warn({ index }, 'an index is missing: queries are slow without it, and the next start builds it'),
    );
    each.on('unreadable', (record: UnreadableRecord) => {
      const id = JSON.stringify([record.collection, record.id]);
      if (!unreadable.has(id)) log.error(record, 'a record that cannot be read is skipped');
      unreadable.add(id);
    });
  }
  const logRefusal = reportTo(log, (cause) => outageReason(cause, settings.databaseTimeoutMs));
  const report: Report = (errors, call) => {
    for (const { code } of errors) metrics.errors.inc({ code });
    logRefusal(errors, call);
  };
  return {
    metrics,
    report,
    onShed: (reason: string) => metrics.loadShed.inc({ reason }),
  };
}
