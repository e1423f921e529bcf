import { type FastifyInstance } from 'fastify';
import { type IncomingHttpHeaders, type IncomingMessage, STATUS_CODES } from 'node:http';
import { type Socket } from 'node:net';
import { DomainError, unavailable } from '../errors/domain-error.js';
import { toErrorBody } from '../errors/error-body.js';
import { errorHeaders } from '../errors/error-headers.js';
import { preferredLanguage } from './language.js';
import { unreadable } from './read-json.js';
import { requestIdOf } from './request-id.js';

/** Node keeps the first of each of these and drops any other in silence. A proxy in front may have gone by one that was dropped. */
const singleHeader = /^(?:host|authorization|content-type)$/i;

/** Such a header that is there again, as it is spelled. Names and values take turns. */
function findRepeated(rawHeaders: readonly string[]): string | undefined {
  const names = rawHeaders.filter((name, index) => index % 2 === 0 && singleHeader.test(name));
  return names.find((name, index) =>
    names.slice(0, index).some((earlier) => earlier.toLowerCase() === name.toLowerCase()),
  );
}

/** Whether a host is one name. A proxy in front may have gone by another name of a list than we would. */
const namesOne = (host: string): boolean => /^[^\s,]+$/.test(host);

/** Whether a body is sent in chunks alone. Node says nothing of other codings, and a compressed body would be read as it came. */
const isPlain = (transferEncoding = 'chunked'): boolean => transferEncoding.toLowerCase() === 'chunked';

/** Node reads no more than this, and drops the rest: with them a condition on what a request may do. */
const mostHeaders = 1_000;

/** Releases of Node.js since 20 end such a request by themselves. */
const tooManyHeaders = (): DomainError =>
  unreadable(
    `its headers are more than ${mostHeaders}, or longer than 16 KiB`,
    `ses en-têtes sont plus de ${mostHeaders}, ou plus longs que 16 Kio`,
  );

/** Why a connection brings no request: 400 if it cannot be read, 503 if not whole or not read in its time (Contract 8.6.3). */
export function connectionError(cause: NodeJS.ErrnoException): DomainError {
  if (cause.code === 'ERR_HTTP_REQUEST_TIMEOUT') return unavailable(cause);
  return cause.code === 'HPE_HEADER_OVERFLOW' ? tooManyHeaders() : new DomainError('body-format-error');
}

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

/** Whether Node meets an expectation by itself, by its own test. */
const isMet = (expectation = '100-continue'): boolean => /(?:^|\W)100-continue(?:$|\W)/i.test(expectation);

/** The refusal of headers that leave open what the request is, which says why (Contract 7.1.5). */
function headerFault({ headers, rawHeaders, httpVersion }: IncomingMessage): DomainError | undefined {
  if (rawHeaders.length > 2 * mostHeaders) return tooManyHeaders();
  const repeated = findRepeated(rawHeaders);
  if (repeated !== undefined)
    return unreadable(`${repeated} must be there once`, `${repeated} doit y être une seule fois`);
  if (headers.host === undefined ? httpVersion !== '1.0' : !namesOne(headers.host))
    return unreadable('Host must name one host', 'Host doit nommer un seul hôte');
  if (!isPlain(headers['transfer-encoding']))
    return unreadable('Transfer-Encoding must be chunked', 'Transfer-Encoding doit être chunked');
  if (!isMet(headers.expect))
    return unreadable('Expect must be 100-continue', 'Expect doit être 100-continue');
  return undefined;
}

/**
 * Refuses what Node would end without a word: tunnels, expectations that nobody can meet, and requests for no host.
 * Also refuses requests for two hosts (RFC 9112, 3.2), bodies in a coding that is not read (RFC 9112, 6.1), and requests
 * of which Node has dropped a header: the rest would be taken for the whole.
 */
export function refuseUnreadable(app: FastifyInstance, refuse: typeof refuseOnSocket): void {
  app.server.on('connect', ({ headers }, socket: Socket) => {
    socket.on('error', () => socket.destroy());
    refuse(socket, new DomainError('body-format-error'), headers);
  });
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  app.addHook('onRequest', ({ raw, headers }, reply, done) => {
    // Whoever expects something may send its body now or never, so what comes next is no request that could be read.
    if (!isMet(headers.expect)) void reply.header('connection', 'close');
    done(headerFault(raw));
  });
}
