import { Busboy, type BusboyHeaders, type Dicer } from '@fastify/busboy';
import { on } from 'node:events';
import { type IncomingMessage } from 'node:http';
import { finished, type Readable } from 'node:stream';
import { type DomainError, unreadable } from '../errors/domain-error.js';
import { inLargerPieces } from '../text/gather.js';

/** The limit for one part. A longer list of parameters can take a second to parse. */
const mostHeaderBytes = 2_048;

/** Any control character except a tab. */
// eslint-disable-next-line no-control-regex
const controlCharacter = /[\0-\x08\n-\x1f\x7f]/;

export const malformedPart = (cause?: unknown): DomainError =>
  unreadable(
    'a part has a missing or invalid header, for example a file name with a control character',
    'une partie a un en-tête absent ou invalide, par exemple un nom de fichier avec un caractère de contrôle',
    cause,
  );

interface Limits {
  most: number;
  /** Creates the error for more parts than `most`. */
  tooMany: () => DomainError;
  /** The error if the request must end after so many bytes. */
  refusalAfter?: (bytes: number) => DomainError | undefined;
}

export interface Part {
  name: unknown;
  /** In lower case; by default text/plain. */
  contentType: string;
  isFile: boolean;
  fileName: string | undefined;
  /** Read it to the end, or the next part does not come. */
  stream: Readable;
}

type FileEvent = [
  name: string | undefined,
  stream: Readable,
  fileName: string | undefined,
  encoding: string,
  contentType: string,
];

/**
 * Yields the parts of a `multipart/form-data` body as they arrive. Texts are streams too: the parser would decode them and hide bytes
 * that are not UTF-8.
 * @throws the error of the parser or of a limit, or body-format-error for a part that is not form-data, two names or an invalid file name
 */
export async function* partsOf(
  request: IncomingMessage,
  { most, tooMany, refusalAfter }: Limits,
): AsyncGenerator<Part> {
  const parser = new Busboy({
    headers: request.headers as BusboyHeaders,
    limits: { parts: most, headerSize: mostHeaderBytes },
    isPartAFile: () => true,
  });
  let current: Readable | undefined;
  // The parser silently skips parts that are not form-data, so count the parts.
  const { _parser: inner } = parser as unknown as { _parser: { parser: Dicer } };
  let unread = 0;
  let isAmbiguous = false;
  inner.parser.on('part', (part) => {
    unread += 1;
    part.on('header', (headers) => (isAmbiguous ||= hasTwoNames(headers)));
  });
  // The parser can fail after the last part was read: without a listener, its error would end the process.
  parser.on('error', () => undefined);
  parser.on('file', (_name, stream) => {
    current = stream;
    // The parser reports a truncated part only once, perhaps before the reader listens. Keep the error on the stream.
    stream.on('error', (error: Error) => stream.destroy(error));
  });
  parser.on('partsLimit', () => parser.destroy(tooMany()));
  const parts = on(parser, 'file', { close: ['finish'] }) as AsyncIterable<FileEvent>;
  finished(request, { writable: false }, (error) => {
    if (!error) return;
    current?.destroy(error);
    parser.destroy(error);
  });
  if (refusalAfter) {
    let bytes = 0;
    request.on('data', (piece: Buffer) => {
      const refusal = refusalAfter(bytes);
      if (refusal) parser.destroy(refusal);
      bytes += piece.length;
    });
  }
  request.pipe(inLargerPieces()).pipe(parser);
  for await (const [name, stream, fileName, , contentType] of parts) {
    if (isAmbiguous || (fileName !== undefined && controlCharacter.test(fileName))) throw malformedPart();
    const isFile = fileName !== undefined || contentType === 'application/octet-stream';
    yield { name, contentType, isFile, fileName, stream };
    unread -= 1;
  }
  if (unread > 0) throw malformedPart();
}

/** The parser takes the last name, but a proxy could check another one. */
function hasTwoNames({
  'content-disposition': values = [],
}: object & { 'content-disposition'?: string[] }): boolean {
  const unquoted = values.join(';').replace(/"(?:[^"\\]|\\.)*"/g, '');
  return values.length > 1 || (unquoted.match(/;\s*name\*?\s*=/gi) ?? []).length > 1;
}
