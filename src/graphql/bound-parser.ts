import { type IncomingMessage } from 'node:http';
import { type Writable } from 'node:stream';
import { holdsTooMuch } from '../http/read-json.js';

/**
 * Operations, a map and a file, with room for what looks like the beginning of a part within the file. The headers of one
 * part may take two milliseconds to read.
 */
const mostParts = 20;
const partMark = '\r\n--';

type FieldReader = (name: string, text: string, info: unknown) => void;

/**
 * Holds the parser of a multipart request to bounds for which its library has no option: the library would parse JSON
 * fields of any shape, and read on through any number of parts. The library makes the parser itself, so we can reach it
 * only at the moment when the request is piped to it.
 *
 * The parser may fail twice, once for malformed input and once because it ends there. The library listens for the first
 * error only, and an error without a listener would end the process.
 */
export function boundParser(request: IncomingMessage): void {
  const pipe = request.pipe.bind(request);
  request.pipe = (destination, options) => {
    const parser = destination as unknown as Writable;
    parser.on('error', () => undefined);
    const readers = parser.listeners('field') as FieldReader[];
    parser.removeAllListeners('field');
    for (const read of readers)
      // What is no JSON is answered as a body that cannot be read; and so is what was no UTF-8, which has come out as
      // U+FFFD and would be stored without what it was. JSON can write that character as an escape.
      parser.on('field', (...[name, text, info]: Parameters<FieldReader>) =>
        read(name, holdsTooMuch(text) || text.includes('\uFFFD') ? '' : text, info),
      );
    const write = parser.write.bind(parser) as (bytes: Buffer) => boolean;
    let parts = 0;
    parser.write = ((bytes: Buffer) => {
      parts += countParts(bytes);
      if (parts > mostParts) parser.destroy(new Error('too many parts'));
      return write(bytes);
    }) as Writable['write'];
    return pipe(destination, options);
  };
}

function countParts(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(partMark); at !== -1; at = bytes.indexOf(partMark, at + partMark.length))
    if ((count += 1) > mostParts) break;
  return count;
}
