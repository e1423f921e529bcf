import { type FastifyInstance } from 'fastify';
import { type IncomingHttpHeaders, STATUS_CODES } from 'node:http';
import { type Socket } from 'node:net';
import { DomainError, unavailable } from '../errors/domain-error.js';
import { toErrorBody } from '../errors/error-body.js';
import { errorHeaders } from '../errors/error-headers.js';
import { preferredLanguage } from './language.js';
import { requestIdOf } from './request-id.js';

/** Node keeps the first of each of these and drops any other in silence. A proxy in front may have gone by one that was dropped. */
const singleHeader = /^(?:host|authorization|content-type)$/i;

/** Names and values take turns. */
function isAnyRepeated(rawHeaders: readonly string[]): boolean {
  const names = rawHeaders.filter((name, index) => index % 2 === 0 && singleHeader.test(name));
  return new Set(names.map((name) => name.toLowerCase())).size < names.length;
}

/** Whether a host is one name. A proxy in front may have gone by another name of a list than we would. */
const namesOne = (host: string): boolean => /^[^\s,]+$/.test(host);

/** Whether a body is sent in chunks alone. Node says nothing of other codings, and a compressed body would be read as it came. */
const isPlain = (transferEncoding = 'chunked'): boolean => transferEncoding.toLowerCase() === 'chunked';

/** Node reads no more names and values than this, and drops the rest: with them a condition on what a request may do. */
const mostRawHeaders = 2_000;

const unreadable = (): DomainError => new DomainError('body-format-error');

/** Why a connection brings no request: 400 if it cannot be read, 503 if not whole or not read in its time (Contract 8.6.3). */
export const connectionError = (cause: NodeJS.ErrnoException): DomainError =>
  cause.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? unavailable(cause) : unreadable();

/** Answers a request that no route has seen, and ends its connection (Contract 7.1.2, 7.7, 7.8). @returns its request id */
export function refuseOnSocket(
  socket: Socket,
  error: DomainError,
  headers: IncomingHttpHeaders = {},
): string {
  const requestId = requestIdOf(headers['x-request-id']);
  const answer = toErrorBody(error, preferredLanguage(headers['accept-language']));
  const body = JSON.stringify(answer);
  const told = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    'Cache-Control': 'private, no-store',
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': requestId,
    ...errorHeaders(error),
    Connection: 'close',
  };
  const lines = Object.entries(told).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status]}\r\n${lines.join('')}\r\n${body}`);
  return requestId;
}

/** Node's own test of an expectation that it meets by itself. */
const isMet = (expectation = '100-continue'): boolean => /(?:^|\W)100-continue(?:$|\W)/i.test(expectation);

/**
 * Refuses what Node would end without a word: tunnels, expectations that nobody can meet, and requests for no host.
 * Also refuses requests for two hosts (RFC 9112, 3.2), bodies in a coding that is not read (RFC 9112, 6.1), and requests
 * of which Node has dropped a header: the rest would be taken for the whole.
 */
export function refuseUnreadable(app: FastifyInstance, refuse: typeof refuseOnSocket): void {
  app.server.on('connect', ({ headers }, socket: Socket) => {
    socket.on('error', () => socket.destroy());
    refuse(socket, unreadable(), headers);
  });
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  app.addHook('onRequest', ({ raw, headers }, reply, done) => {
    const isForOne = headers.host === undefined ? raw.httpVersion === '1.0' : namesOne(headers.host);
    const isWhole = raw.rawHeaders.length <= mostRawHeaders;
    const isClear =
      isForOne && isWhole && isPlain(headers['transfer-encoding']) && !isAnyRepeated(raw.rawHeaders);
    // Whoever expects something may send its body now or never, so what comes next is no request that could be read.
    if (!isMet(headers.expect)) void reply.header('connection', 'close');
    done(isClear && isMet(headers.expect) ? undefined : unreadable());
  });
}
