import { Busboy, type BusboyHeaders, type Dicer } from '@fastify/busboy';
import { on } from 'node:events';
import { type IncomingMessage } from 'node:http';
import { finished, type Readable } from 'node:stream';
import { malformedPart } from '../company/logo/logo-errors.js';
import { inLargerPieces } from '../decoding/gather.js';
import { mostFields, tooManyFields } from '../decoding/read-json.js';

/** The most bytes of one part's headers. Without a bound, a long list of parameters takes a second to read. */
const mostHeaderBytes = 2_048;

interface Part {
  name: unknown;
  /** In lower case; text/plain where the part says none. */
  contentType: string;
  isFile: boolean;
  fileName: string | undefined;
  /** Must be read to its end before the next part comes. */
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
 * The parts of a `multipart/form-data` body as they come. Texts are streams like files, since a parser that decoded
 * them would hide what was no UTF-8.
 * @throws whatever is wrong with the body, or body-format-error once it has more than `mostFields` parts, or if a part is no field
 */
export async function* partsOf(request: IncomingMessage): AsyncGenerator<Part> {
  const parser = new Busboy({
    headers: request.headers as BusboyHeaders,
    limits: { parts: mostFields, headerSize: mostHeaderBytes },
    isPartAFile: () => true,
  });
  let current: Readable | undefined;
  // The parser leaves out a part that does not say that it is form-data, and emits nothing: what it holds would be lost.
  const { _parser: inner } = parser as unknown as { _parser: { parser: Dicer } };
  let unread = 0;
  inner.parser.on('part', () => (unread += 1));
  // The parser may fail even when nobody reads its parts any more, and an error without a listener ends the process.
  parser.on('error', () => undefined);
  parser.on('file', (_name, stream) => {
    current = stream;
    // The parser reports a part that breaks off only once, perhaps before anybody reads it.
    stream.on('error', (error: Error) => stream.destroy(error));
  });
  parser.on('partsLimit', () => parser.destroy(tooManyFields()));
  const parts = on(parser, 'file', { close: ['finish'] }) as AsyncIterable<FileEvent>;
  finished(request, { writable: false }, (error) => {
    if (!error) return;
    current?.destroy(error);
    parser.destroy(error);
  });
  request.pipe(inLargerPieces()).pipe(parser);
  for await (const [name, stream, fileName, , contentType] of parts) {
    const isFile = fileName !== undefined || contentType === 'application/octet-stream';
    yield { name, contentType, isFile, fileName, stream };
    unread -= 1;
  }
  if (unread > 0) throw malformedPart();
}
