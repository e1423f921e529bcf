import { type FastifyInstance } from 'fastify';
import { STATUS_CODES } from 'node:http';
import { type Duplex } from 'node:stream';
import { DomainError, unavailable } from '../errors/domain-error.js';
import { toErrorBody } from '../errors/error-body.js';
import { errorHeaders } from '../errors/error-headers.js';
import { requestIdOf } from './request-id.js';

/** The documented error for a request that reaches no route (Contract 7.1.2, 7.7). */
function refusalOf(error: DomainError): { status: number; body: string; headers: Record<string, string> } {
  const answer = toErrorBody(error, 'en');
  const body = JSON.stringify(answer);
  return {
    status: answer.status,
    body,
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': String(Buffer.byteLength(body)),
      'X-Content-Type-Options': 'nosniff',
      'X-Request-Id': requestIdOf(undefined),
      ...errorHeaders(error),
      Connection: 'close',
    },
  };
}

/** Asked of every name in every request: its length alone rules nearly all of them out. */
const isHost = (name: string): boolean => name.length === 4 && name.toLowerCase() === 'host';

const unreadable = (): DomainError => new DomainError('body-format-error');

/**
 * Answers on the bare connection, and ends it: a request that cannot be read with 400, and one that had not come whole
 * in its time, or was not read in it since this process had halted, with 503 (Contract 8.6.3).
 */
export function refuseOnSocket(socket: Duplex, cause?: NodeJS.ErrnoException): void {
  const isLate = cause?.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  const error = isLate ? unavailable(cause) : unreadable();
  const { status, body, headers } = refusalOf(error);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
}

/**
 * Refuses what Node would end without a word: tunnels, expectations that nobody can meet, and requests for no host.
 * Also refuses requests for two hosts (RFC 9112, 3.2), since a proxy in front may have gone by the other one.
 */
export function refuseUnreadable(app: FastifyInstance): void {
  app.server.on('connect', (_request, socket: Duplex) => {
    socket.on('error', () => socket.destroy());
    refuseOnSocket(socket);
  });
  app.server.on('checkExpectation', (_request, response) => {
    const { status, body, headers } = refusalOf(unreadable());
    response.writeHead(status, headers).end(body);
  });
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    const hosts = raw.rawHeaders.filter((name, index) => index % 2 === 0 && isHost(name)).length;
    const isClear = hosts === 1 || (hosts === 0 && raw.httpVersion === '1.0');
    done(isClear ? undefined : unreadable());
  });
}
