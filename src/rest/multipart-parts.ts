import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy';
import { type EventEmitter, on } from 'node:events';
import { type IncomingMessage } from 'node:http';
import { finished, type Readable } from 'node:stream';
import { mostFields, tooManyFields } from '../http/read-json.js';

/** The most bytes of one part's headers. Without a bound, a long list of parameters takes a second to read. */
const mostHeaderBytes = 2_048;

interface Part {
  name: unknown;
  /** In lower case; text/plain where the part says none. */
  contentType: string;
  /** The header that says so, with its parameters; '' if there is none. */
  typeHeader: string;
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

/** What the library has read of the headers of a part, by their names in lower case. */
type PartHeaders = Record<string, string[] | undefined>;

/**
 * Calls `tell` with the headers of each part, just before the library reports the part. The library itself drops their
 * parameters, and would not say that a text is in another charset.
 */
function onPartHeaders(parser: BusboyInstance, tell: (headers: PartHeaders) => void): void {
  const { parser: splitter } = (parser as unknown as { _parser: { parser: EventEmitter } })._parser;
  splitter.prependListener('part', (part: EventEmitter) => part.once('header', tell));
}

/**
 * The parts of a `multipart/form-data` body as they come. Texts are streams like files, since a parser that decoded
 * them would hide what was no UTF-8.
 * @throws whatever is wrong with the body, or body-format-error once it has more than `mostFields` parts
 */
export async function* partsOf(request: IncomingMessage): AsyncGenerator<Part> {
  const parser = new Busboy({
    headers: request.headers as BusboyHeaders,
    limits: { parts: mostFields, headerSize: mostHeaderBytes },
    isPartAFile: () => true,
  });
  let current: Readable | undefined;
  let typeHeader = '';
  const typeHeaders = new WeakMap<Readable, string>();
  onPartHeaders(parser, ({ 'content-type': [type = ''] = [] }) => void (typeHeader = type));
  // The parser may fail even when nobody reads its parts any more, and an error without a listener ends the process.
  parser.on('error', () => undefined);
  parser.on('file', (_name, stream) => {
    current = stream;
    typeHeaders.set(stream, typeHeader);
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
  request.pipe(parser);
  for await (const [name, stream, fileName, , contentType] of parts) {
    const isFile = fileName !== undefined || contentType === 'application/octet-stream';
    yield { name, contentType, typeHeader: typeHeaders.get(stream) ?? '', isFile, fileName, stream };
  }
}
