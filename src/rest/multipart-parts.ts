import { Busboy, type BusboyHeaders, type Dicer } from '@fastify/busboy';
import { type EventEmitter, on } from 'node:events';
import { type IncomingMessage } from 'node:http';
import { finished, type Readable } from 'node:stream';
import { malformedPart } from '../company/logo/logo-errors.js';
import { mostFields, tooManyFields } from '../text/read-json.js';

/** The limit for one part. A longer list of parameters can take a second to parse. */
const mostHeaderBytes = 2_048;

/** Without a file name. Text parts may have a type too, such as `application/json`. */
const fileType = /^(?:application\/octet-stream$|image\/)/;

interface Part {
  name: unknown;
  /** In lower case; by default text/plain. */
  contentType: string;
  transferEncoding: string;
  isFile: boolean;
  fileName: string | undefined;
  /** Read it to the end, or the next part does not come. */
  stream: Readable;
}

type FileEvent = [
  name: string | undefined,
  stream: Readable,
  fileName: string | undefined,
  transferEncoding: string,
  contentType: string,
];

/**
 * Yields the parts of a `multipart/form-data` body as they arrive. Texts are streams too: the parser would decode them and hide bytes
 * that are not UTF-8.
 * @throws the error of the parser, or body-format-error for more than `mostFields` parts, a part that is not form-data or two names
 */
export async function* partsOf(request: IncomingMessage): AsyncGenerator<Part> {
  const parser = new Busboy({
    headers: request.headers as BusboyHeaders,
    limits: { parts: mostFields, headerSize: mostHeaderBytes },
    isPartAFile: () => true,
  });
  let current: Readable | undefined;
  // The parser silently skips parts that are not form-data, so count the parts.
  const { _parser: inner } = parser as unknown as { _parser: { parser: Dicer & { _bparser: EventEmitter } } };
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
  parser.on('partsLimit', () => {
    // The parser would go on to the end of the bytes that it was given, which can hold ten thousand more parts.
    inner.parser._bparser.removeAllListeners('info');
    parser.destroy(tooManyFields());
  });
  const parts = on(parser, 'file', { close: ['finish'] }) as AsyncIterable<FileEvent>;
  finished(request, { writable: false }, (error) => {
    if (!error) return;
    current?.destroy(error);
    parser.destroy(error);
  });
  request.pipe(parser);
  for await (const [name, stream, fileName, transferEncoding, contentType] of parts) {
    if (isAmbiguous) throw malformedPart();
    const isFile = fileName !== undefined || fileType.test(contentType);
    yield { name, contentType, transferEncoding, isFile, fileName, stream };
    unread -= 1;
  }
  if (unread > 0) throw malformedPart();
}

/** The parser takes the last name, but a proxy could check another one. */
function hasTwoNames({ 'content-disposition': values = [] }: object & { 'content-disposition'?: string[] }) {
  const unquoted = values.join(';').replace(/"(?:[^"\\]|\\.)*"/g, '');
  return values.length > 1 || (unquoted.match(/;\s*name\*?\s*=/gi) ?? []).length > 1;
}
