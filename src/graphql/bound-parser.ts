import { type IncomingMessage } from 'node:http';
import { type Writable } from 'node:stream';
import { tooLarge } from '../errors/too-large.js';
import { inLargerPieces } from '../decoding/gather.js';
import { parseJson } from '../decoding/read-json.js';
import { unreadable } from '../errors/domain-error.js';

/** A request has three parts. The rest is for bytes of the file that look like one; to read its headers may take 2 ms. */
const mostParts = 20;
const partMark = '\r\n--';
const headersEnd = '\r\n\r\n';

/** The parts that the library parses as JSON. */
const jsonFields = ['operations', 'map'];

const notUtf8 = () => unreadable('its operations are not UTF-8', 'ses opérations ne sont pas en UTF-8');
const tooManyParts = () =>
  unreadable(`it has more than ${mostParts} parts`, `il a plus de ${mostParts} parties`);

/** All that comes before the operations, or in their place, counts as theirs: it is held until they are read. */
const operationsTooLarge = (maxBytes: number) => tooLarge(maxBytes, { en: 'operations', fr: 'operations' });

const fileShared = () =>
  unreadable(
    'its map has one file for several places',
    'sa correspondance (map) a un même fichier pour plusieurs endroits',
  );

const leadsNowhere = () =>
  unreadable(
    'its map leads to where its operations have no null',
    'sa correspondance (map) mène là où ses opérations n’ont pas null',
  );

type FieldReader = (name: string, text: string, info: { valueTruncated: boolean }) => void;

/**
 * Holds the parser of a multipart request to bounds for which its library has no option: the library would parse JSON
 * fields of any shape, and read on through any number of parts. The library makes the parser itself, so we can reach it
 * only at the moment when the request is piped to it. Nobody has to show a token before, so what we hold ourselves has a
 * bound too.
 *
 * The parser may fail twice, once for malformed input and once because it ends there. The library listens for the first
 * error only, and an error without a listener would end the process.
 *
 * @param bodyMaxBytes the most that may come before the operations are read
 */
export function boundParser(request: IncomingMessage, bodyMaxBytes: number): void {
  const pipe = request.pipe.bind(request);
  request.pipe = (destination, options) => {
    const parser = destination as unknown as Writable;
    parser.on('error', () => undefined);
    const readers = parser.listeners('field') as FieldReader[];
    parser.removeAllListeners('field');
    const sent: Buffer[] = [];
    let sentBytes = 0;
    let operations: unknown;
    for (const read of readers)
      parser.on('field', (...[name, text, info]: Parameters<FieldReader>) => {
        try {
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
          // The library would say less of what is wrong (Contract 7.1.5). It takes the first error that it hears of.
          return void parser.emit('error', refusal);
        }
        return read(name, text, info);
      });
    const write = parser.write.bind(parser) as (bytes: Buffer) => boolean;
    let parts = 0;
    parser.write = ((bytes: Buffer) => {
      if (operations === undefined) {
        // The last bytes may be those of the file behind the operations, so they count only when more come.
        if (sentBytes > bodyMaxBytes) parser.destroy(operationsTooLarge(bodyMaxBytes));
        sentBytes += bytes.length;
        sent.push(bytes);
      }
      parts += countParts(bytes);
      if (parts > mostParts) parser.destroy(tooManyParts());
      return write(bytes);
    }) as Writable['write'];
    pipe(inLargerPieces(), options).pipe(parser);
    return destination;
  };
}

/** Whether the first part of a body is this text as UTF-8: the library decodes other charsets, into texts that nobody sent. */
function isFirstPart(text: string, sent: readonly Buffer[]): boolean {
  const bytes = Buffer.from(text);
  // A text of ASCII alone is the same in every charset.
  if (bytes.length === text.length) return true;
  const body = Buffer.concat(sent);
  const start = body.indexOf(headersEnd) + headersEnd.length;
  return body.subarray(start, start + bytes.length).equals(bytes);
}

/** Whether a map leads a file to several places. It is read once: the first call that takes it would run, the others fail. */
const sharesFile = (map: unknown): boolean =>
  Object.values(Object(map) as object).some((paths) => Array.isArray(paths) && paths.length > 1);

/**
 * Whether a map leads only to nulls of the operations, as its specification has it. The library walks on through what objects
 * inherit: with a file in the place of `toString.call` nothing in the process would run any more.
 */
const leadsToNulls = (map: unknown, operations: unknown): boolean =>
  Object.values(Object(map) as object)
    .flat()
    .every((path) => typeof path === 'string' && isNull(operations, path.split('.')));

function isNull(value: unknown, path: readonly string[]): boolean {
  for (const key of path) {
    if (!Object.hasOwn(Object(value) as object, key)) return false;
    value = (value as Record<string, unknown>)[key];
  }
  return value === null;
}

function countParts(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(partMark); at !== -1; at = bytes.indexOf(partMark, at + partMark.length))
    if ((count += 1) > mostParts) break;
  return count;
}
