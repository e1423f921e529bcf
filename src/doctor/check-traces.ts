import { once } from 'node:events';
import { connect } from 'node:net';
import { messageWithCauses } from '../errors/messages.js';
import { type Settings } from '../settings/settings.js';
import { about, type Finding } from './finding.js';

const { ok, warn } = about('traces');
const replyMs = 2_000;

/** Only warns: the gateway drops traces that it cannot send. */
export async function checkTraces({ traceEndpoint }: Settings): Promise<Finding[]> {
  if (traceEndpoint === undefined) return [];
  const url = new URL(traceEndpoint);
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  // Without the URL's user and password.
  const place = `${url.hostname} at port ${port}`;
  try {
    await reach(url.hostname.replace(/^\[|\]$/g, ''), port);
    return [ok(`traces are sent to ${place}, which answers`)];
  } catch (error) {
    return [
      warn(
        `nobody answers at the endpoint of traces, ${place}: ${messageWithCauses(error)}: every trace is lost`,
        'start the collector, or fix OTEL_EXPORTER_OTLP_ENDPOINT or OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
      ),
    ];
  }
}

/** Opens a connection and closes it. @throws Error if that fails or takes too long */
async function reach(host: string, port: number): Promise<void> {
  const socket = connect({ host, port });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(replyMs) });
  } finally {
    socket.destroy();
  }
}
