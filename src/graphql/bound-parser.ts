import { type IncomingMessage } from 'node:http';
import { type Readable, type Writable } from 'node:stream';
import { assertPlainPart } from '../http/read-request.js';
import { valueAt } from '../text/json-pointer.rules.js';
import { parseJson } from '../text/read-json.js';
import { tooLarge, unreadable } from '../errors/domain-error.js';

/** A valid request has three parts, but bytes of the file can look like more. Reading the headers of one part can take 2 ms. */
const mostParts = 20;
const partMark = '\r\n--';
const headersEnd = '\r\n\r\n';

/** The parts that graphql-upload-minimal parses as JSON. */
const jsonFields = ['operations', 'map'];

const notUtf8 = () => unreadable('its operations are not UTF-8', 'ses opérations ne sont pas en UTF-8');
const tooManyParts = () =>
  unreadable(`it has more than ${mostParts} parts`, `il a plus de ${mostParts} parties`);

/** Bytes before the operations count too: they stay in memory until the operations are read. */
const operationsTooLarge = (maxBytes: number) => tooLarge(maxBytes, { en: 'operations', fr: 'operations' });

const fileShared = () =>
  unreadable(
    'its map gives one file several paths',
    'son champ map donne plusieurs chemins à un même fichier',
  );

const leadsNowhere = () =>
  unreadable(
    'its map has a path that does not lead to a null in operations',
    'son champ map a un chemin auquel operations ne contient pas null',
  );

type FieldListener = (
  name: string,
  text: string,
  info: { valueTruncated: boolean; encoding: string },
) => void;
type FileListener = (name: string, stream: Readable, info: { encoding: string }) => void;

/**
 * Limits the shape of JSON fields, the encoding and the number of parts: graphql-upload-minimal has no options for these. The library
 * creates the multipart parser itself, so we intercept the parser when the library pipes the request to it. We keep all bytes until the
 * operations are read. Callers without a token get this far, so these bytes have a limit too.
 *
 * The parser can emit two errors: for malformed input, and for input that ends early. The library listens only for the first, and an
 * error without a listener would crash the process.
 *
 * @param bodyMaxBytes how many bytes may come before the operations are read
 */
export function boundParser(request: IncomingMessage, bodyMaxBytes: number): void {
  const pipe = request.pipe.bind(request);
  request.pipe = (destination, options) => {
    const parser = destination as unknown as Writable;
    parser.on('error', () => undefined);
    const readers = parser.listeners('field') as FieldListener[];
    parser.removeAllListeners('field');
    const sent: Buffer[] = [];
    let sentBytes = 0;
    let operations: unknown;
    const fileReaders = parser.listeners('file') as FileListener[];
    parser.removeAllListeners('file');
    for (const read of fileReaders)
      parser.on('file', (...[name, stream, info]: Parameters<FileListener>) => {
        try {
          assertPlainPart(info.encoding);
        } catch (refusal) {
          stream.on('error', () => undefined).resume();
          return void parser.emit('error', refusal);
        }
        return read(name, stream, info);
      });
    for (const read of readers)
      parser.on('field', (...[name, text, info]: Parameters<FieldListener>) => {
        try {
          assertPlainPart(info.encoding);
          if (operations === undefined && !isFirstPart(text, sent)) throw notUtf8();
          if (jsonFields.includes(name) && !info.valueTruncated) {
            const value = parseJson(text);
            if (name === 'operations') {
              operations = value;
              sent.length = 0;
            } else if (sharesFile(value)) throw fileShared();
            else if (!leadsToNulls(value, operations)) throw leadsNowhere();
          }
        } catch (refusal) {
          // The library reports only the first error, and ours says more.
          return void parser.emit('error', refusal);
        }
        return read(name, text, info);
      });
    const write = parser.write.bind(parser) as (bytes: Buffer) => boolean;
    let parts = 0;
    parser.write = ((bytes: Buffer) => {
      if (operations === undefined) {
        // Check before adding this chunk: most of it may belong to the file.
        if (sentBytes > bodyMaxBytes) parser.destroy(operationsTooLarge(bodyMaxBytes));
        sentBytes += bytes.length;
        sent.push(bytes);
      }
      parts += countParts(bytes);
      if (parts > mostParts) parser.destroy(tooManyParts());
      return write(bytes);
    }) as Writable['write'];
    pipe(parser, options);
    return destination;
  };
}

/** Whether the first part is this text in UTF-8. The library garbles other charsets. */
function isFirstPart(text: string, sent: readonly Buffer[]): boolean {
  const bytes = Buffer.from(text);
  // ASCII text is the same in every charset.
  if (bytes.length === text.length) return true;
  const body = Buffer.concat(sent);
  const start = body.indexOf(headersEnd) + headersEnd.length;
  return body.subarray(start, start + bytes.length).equals(bytes);
}

/** A file can be read only once, so a map must not give it several paths. */
const sharesFile = (map: unknown): boolean =>
  Object.values(Object(map) as object).some((paths) => Array.isArray(paths) && paths.length > 1);

/**
 * Whether every path leads to a null, as the specification requires. The library follows inherited properties: the path `toString.call`
 * would replace that function with a file and break the whole process.
 */
const leadsToNulls = (map: unknown, operations: unknown): boolean =>
  Object.values(Object(map) as object)
    .flat()
    .every((path) => typeof path === 'string' && valueAt(path.split('.'), operations) === null);

function countParts(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(partMark); at !== -1; at = bytes.indexOf(partMark, at + partMark.length))
    if ((count += 1) > mostParts) break;
  return count;
}
