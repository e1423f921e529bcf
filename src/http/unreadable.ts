import { type FastifyInstance } from 'fastify';
import { type Duplex } from 'node:stream';
import { DomainError } from '../errors/domain-error.js';
import { toErrorBody } from '../errors/error-body.js';
import { requestIdOf } from './request-id.js';

/** The documented error for a request that is too broken to reach any route (Contract 7.1.2, 7.7). */
function refusal(): { body: string; headers: Record<string, string> } {
  const body = JSON.stringify(toErrorBody(new DomainError('body-format-error'), 'en'));
  return {
    body,
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': String(Buffer.byteLength(body)),
      'X-Content-Type-Options': 'nosniff',
      'X-Request-Id': requestIdOf(undefined),
      Connection: 'close',
    },
  };
}

/** Answers on the bare connection, and ends it. */
export function refuseOnSocket(socket: Duplex): void {
  const { body, headers } = refusal();
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 400 Bad Request\r\n${lines.join('')}\r\n${body}`);
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
    const { body, headers } = refusal();
    response.writeHead(400, headers).end(body);
  });
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    const hosts = raw.rawHeaders.filter((name, index) => index % 2 === 0 && /^host$/i.test(name)).length;
    const isClear = hosts === 1 || (hosts === 0 && raw.httpVersion === '1.0');
    done(isClear ? undefined : new DomainError('body-format-error'));
  });
}
