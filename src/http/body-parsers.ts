import { type FastifyInstance, type FastifyRequest, type onRequestAsyncHookHandler } from 'fastify';
import { type Readable } from 'node:stream';
import { type Language } from '../errors/catalogue.js';
import { DomainError, unreadable } from '../errors/domain-error.js';
import { tooLarge } from '../errors/too-large.js';
import { Gathered } from '../decoding/gather.js';

/** The longest `Content-Type` of multipart. A boundary has at most 70 (RFC 2046, 5.1.1); to look for a long one takes seconds. */
const longestType = 200;

/** Has bodies of a content type read whole; any charset but UTF-8 is content-type-not-supported (Contract 4.3.1). */
export function parseBodies(
  app: FastifyInstance,
  contentType: string,
  parse: (body: Buffer) => unknown,
): void {
  app.addContentTypeParser(
    contentType,
    async ({ headers, routeOptions }: FastifyRequest, payload: Readable) => {
      const body = await readBody(payload, Number(headers['content-length']), routeOptions.bodyLimit);
      assertUtf8(headers['content-type']);
      return parse(body);
    },
  );
}

/** A refusal of a content type that names those which are accepted, if it says nothing else (Contract 7.1.5). */
export function namingTypes(refusal: DomainError, types: readonly string[]): DomainError {
  if (refusal.code !== 'content-type-not-supported' || refusal.details.hint) return refusal;
  const listIn = (language: Language) => new Intl.ListFormat(language, { type: 'disjunction' }).format(types);
  const hint = { en: `send ${listIn('en')}`, fr: `envoyez ${listIn('fr')}` };
  return new DomainError(refusal.code, { ...refusal.details, hint });
}

/** Fastify's own reader keeps each piece as it comes: bodies of one MiB in chunks of a byte would end the process. */
function readBody(payload: Readable, length: number, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (length > maxBytes) return reject(tooLarge(maxBytes));
    const body = new Gathered();
    const gather = (piece: Buffer) => {
      if (body.length + piece.length <= maxBytes) return body.add(piece);
      payload.off('data', gather);
      reject(tooLarge(maxBytes));
    };
    payload
      .on('data', gather)
      .once('end', () => resolve(body.bytes))
      .once('error', reject);
  });
}

/** @throws DomainError content-type-not-supported when a body says that it is not UTF-8 (Contract 4.3.1) */
function assertUtf8(contentType = ''): void {
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(contentType)?.[1];
  if (charset && !/^(utf-?8|us-ascii)$/i.test(charset))
    throw new DomainError('content-type-not-supported', {
      hint: { en: 'the charset must be UTF-8', fr: 'le jeu de caractères doit être UTF-8' },
    });
}

/** Leaves multipart bodies to the route: when a parser fails amid a file, Fastify cuts the connection before the answer. */
export function leaveMultipart(app: FastifyInstance): void {
  app.addContentTypeParser('multipart/form-data', (_request, _payload, done) => done(null));
}

/** @throws DomainError where the type of a multipart body names another charset or no boundary, or is longer than any need be */
export function assertMultipart(contentType = ''): void {
  assertUtf8(contentType);
  if (contentType.length > longestType || !/boundary=/i.test(contentType))
    throw unreadable(
      `its Content-Type has more than ${longestType} characters, or no boundary`,
      `son Content-Type a plus de ${longestType} caractères, ou pas de « boundary »`,
    );
}

/** Refuses a body by its `Content-Length` before it is read (Contract 8.6.1). @param logoBytes most bytes of a logo in it */
export const boundLength =
  (bodyBytes: number, logoBytes: number): onRequestAsyncHookHandler =>
  async ({ headers }) => {
    if (Number(headers['content-length'] ?? 0) <= bodyBytes + logoBytes) return;
    throw tooLarge(bodyBytes, {
      en: `logo must have at most ${logoBytes} bytes, and all else`,
      fr: `logo doit avoir au plus ${logoBytes} octets, et tout le reste`,
    });
  };
