import { type FastifyInstance, type FastifyRequest, type onRequestAsyncHookHandler } from 'fastify';
import { type IncomingMessage } from 'node:http';
import { type Language } from '../errors/catalogue.js';
import { DomainError, tooLarge, unreadable } from '../errors/domain-error.js';
import { fieldFault, sizeOf } from '../errors/field-fault.js';

/** In characters. Searching a body for a long boundary takes seconds. RFC 2046, 5.1.1 allows boundaries of 70 characters. */
const longestType = 200;

/** Charsets other than UTF-8 get content-type-not-supported. */
export function parseBodies(
  app: FastifyInstance,
  contentType: string,
  parse: (body: Buffer) => unknown,
): void {
  app.addContentTypeParser<Buffer>(
    contentType,
    { parseAs: 'buffer' },
    async ({ headers }: FastifyRequest, body: Buffer) => {
      assertUtf8(headers['content-type']);
      return parse(body);
    },
  );
}

/** Adds the accepted types to a content-type-not-supported error without a hint. */
export function namingTypes(refusal: DomainError, types: readonly string[]): DomainError {
  if (refusal.code !== 'content-type-not-supported' || refusal.details.hint) return refusal;
  const listIn = (language: Language) => new Intl.ListFormat(language, { type: 'disjunction' }).format(types);
  const hint = { en: `send ${listIn('en')}`, fr: `envoyez ${listIn('fr')}` };
  return new DomainError(refusal.code, { ...refusal.details, hint });
}

/** @throws DomainError content-type-not-supported if the charset is not UTF-8 */
function assertUtf8(contentType = ''): void {
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(contentType)?.[1];
  if (charset && !/^(utf-?8|us-ascii)$/i.test(charset))
    throw new DomainError('content-type-not-supported', {
      hint: { en: 'the charset must be UTF-8', fr: 'le jeu de caractères doit être UTF-8' },
    });
}

/** Leaves multipart bodies to the route: if a parser fails within a file, Fastify cuts the connection before it replies. */
export function leaveMultipart(app: FastifyInstance): void {
  app.addContentTypeParser('multipart/form-data', (_request, _payload, done) => done(null));
}

/** @throws DomainError if a multipart `Content-Type` has another charset than UTF-8, no boundary, or over 200 characters */
export function assertMultipart(contentType = ''): void {
  assertUtf8(contentType);
  if (contentType.length > longestType || !/boundary=/i.test(contentType))
    throw unreadable(
      `Content-Type has more than ${longestType} characters, or no boundary`,
      `Content-Type a plus de ${longestType} caractères, ou pas de « boundary »`,
    );
}

/** Rejects a body by its `Content-Length` before reading it. @param logoBytes the limit for a logo */
export const boundLength =
  (bodyBytes: number, logoBytes: number): onRequestAsyncHookHandler =>
  async ({ headers }) => {
    if (Number(headers['content-length'] ?? 0) <= bodyBytes + logoBytes) return;
    const isMultipart = /^multipart\/form-data/i.test(headers['content-type'] ?? '');
    throw tooLarge(
      bodyBytes,
      {
        en: `logo must have at most ${sizeOf(logoBytes).en}, and everything else together`,
        fr: `logo ne doit pas dépasser ${sizeOf(logoBytes).fr}, et tout le reste ensemble`,
      },
      isMultipart ? { faults: [fieldFault.tooLarge('logo', logoBytes)] } : {},
    );
  };

/** Node.js silently keeps the first value of these headers. A proxy may have acted on a later value. */
const singleHeaders = new Set(['host', 'authorization', 'content-type']);

/** Returns an error if one of these headers is repeated. */
export function repeatedHeader({ rawHeaders }: IncomingMessage): DomainError | undefined {
  const seen = new Set<string>();
  // `rawHeaders` alternates names and values.
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    const known = name.toLowerCase();
    if (seen.has(known))
      return unreadable(`${name} must be sent only once`, `${name} ne doit être envoyé qu’une fois`);
    if (singleHeaders.has(known)) seen.add(known);
  }
  return undefined;
}

/** @throws DomainError body-format-error if percent escapes of a form or a query are not UTF-8; they would be read as U+FFFD */
export function assertEscapes(text: string): void {
  try {
    decodeURIComponent(text.replace(/%(?![\da-f]{2})/gi, '%25'));
  } catch (cause) {
    throw unreadable(
      'its percent escapes are not UTF-8',
      'ses échappements « % » ne sont pas en UTF-8',
      cause,
    );
  }
}

/** Nobody decodes a part: a form would store the base64 of a name. @throws DomainError content-type-not-supported */
export function assertPlainPart(transferEncoding: string): void {
  if (!/^(7bit|8bit|binary)$/i.test(transferEncoding.trim()))
    throw new DomainError('content-type-not-supported', {
      hint: {
        en: 'the Content-Transfer-Encoding of a part must be 7bit, 8bit or binary',
        fr: 'le Content-Transfer-Encoding d’une partie doit être 7bit, 8bit ou binary',
      },
    });
}

/** @throws DomainError content-type-not-supported if the body is compressed. Node.js would read `gzip, chunked` as plain */
export function assertNotEncoded({
  'content-encoding': content = 'identity',
  'transfer-encoding': transfer = 'chunked',
}: IncomingMessage['headers']): void {
  if (content.toLowerCase() !== 'identity' || transfer.toLowerCase() !== 'chunked')
    throw new DomainError('content-type-not-supported', {
      hint: { en: 'the body must not be compressed', fr: 'le corps ne doit pas être compressé' },
    });
}
