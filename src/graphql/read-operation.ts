import { Upload } from 'graphql-upload-minimal';
import { isUtf8 } from 'node:buffer';
import { type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { uploadError } from '../company/logo/logo-errors.js';
import { type UploadedFile } from '../company/logo/logo-intake.js';
import { readBounded } from '../company/logo/read-bounded.js';
import { DomainError, unreadable } from '../errors/domain-error.js';
import { tooLarge } from '../errors/too-large.js';
import { type Part, partsOf } from '../http/multipart-parts.js';
import { isJsonObject, parseJson } from '../text/read-json.js';

/** A valid request has three parts. Reading the headers of one part can take 2 ms. */
const mostParts = 20;

const tooMany = () => unreadable(`it has more than ${mostParts} parts`, `il a plus de ${mostParts} parties`);

/**
 * Reads the operations and the map of a GraphQL multipart request, and leaves the file to the operation. Callers without a token get this
 * far, so the bytes before the operations have a limit, too.
 * @param maxBytes the limit for the operations and for the map
 * @throws DomainError body-format-error or payload-too-large
 */
export async function readOperation(request: IncomingMessage, maxBytes: number): Promise<object> {
  let operations: object | undefined;
  const refusalAfter = (bytes: number) =>
    operations === undefined && bytes > maxBytes ? partTooLarge('operations', maxBytes) : undefined;
  const parts = partsOf(request, { most: mostParts, tooMany, refusalAfter });
  try {
    for (;;) {
      const part = await nextPart(parts);
      if (part.isFile) throw new DomainError('body-format-error');
      if (part.name === 'operations') operations = objectIn(await readJson(part, maxBytes));
      else if (part.name !== 'map') part.stream.resume();
      else {
        placeFile(await readJson(part, maxBytes), objectIn(operations), parts);
        return objectIn(operations);
      }
    }
  } catch (error) {
    throw uploadError(error);
  }
}

async function nextPart(parts: AsyncGenerator<Part>): Promise<Part> {
  const { value } = (await parts.next()) as { value: Part | undefined };
  if (value) return value;
  throw new DomainError('body-format-error');
}

const partTooLarge = (name: string, maxBytes: number) => tooLarge(maxBytes, { en: name, fr: name });

async function readJson({ name, stream }: Part, maxBytes: number): Promise<unknown> {
  let length = 0;
  const bytes = await readBounded(stream, Infinity, (more) => {
    if ((length += more) > maxBytes) throw partTooLarge(String(name), maxBytes);
  });
  if (!isUtf8(bytes)) throw unreadable('its operations are not UTF-8', 'ses opérations ne sont pas en UTF-8');
  return parseJson(bytes.toString());
}

function objectIn(value: unknown): object {
  if (typeof value === 'object' && value !== null) return value;
  throw new DomainError('body-format-error');
}

/** A file can be read only once, so a map must not give it several paths. */
function placeFile(map: unknown, operations: object, parts: AsyncGenerator<Part>): void {
  if (!isJsonObject(map)) throw new DomainError('body-format-error');
  const paths = Object.values(map);
  if (paths.some((each) => Array.isArray(each) && each.length > 1))
    throw unreadable(
      'its map gives one file several paths',
      'son champ map donne plusieurs chemins à un même fichier',
    );
  const places = paths.flat().map((path) => placeOf(path, operations));
  if (paths.length > 1) throw tooManyFiles();
  const [name] = Object.keys(map);
  if (name === undefined) return;
  const promise = fileIn(parts, name);
  promise.catch(() => undefined);
  for (const { holder, key } of places) holder[key] = Object.assign(new Upload(), { promise });
}

/** Where a path leads: to a null, as the specification requires. Inherited properties don't count. */
function placeOf(path: unknown, operations: object) {
  const keys = typeof path === 'string' ? path.split('.') : [];
  const key = keys.pop() ?? '';
  const holder = keys.reduce(ownValue, operations) as Record<string, unknown>;
  if (ownValue(holder, key) === null) return { holder, key };
  throw unreadable(
    'its map has a path that does not lead to a null in operations',
    'son champ map a un chemin auquel operations ne contient pas null',
  );
}

const ownValue = (holder: unknown, key: string): unknown =>
  Object.hasOwn(Object(holder) as object, key) ? (holder as Record<string, unknown>)[key] : undefined;

const tooManyFiles = () =>
  new DomainError('payload-too-large', {
    hint: { en: 'send at most one file', fr: 'envoyez un seul fichier' },
  });

async function fileIn(parts: AsyncGenerator<Part>, expected: string): Promise<UploadedFile> {
  for (let files = 0; ;) {
    const { name, isFile, fileName, stream } = await nextPart(parts);
    if (isFile && (files += 1) > 1) throw tooManyFiles();
    if (isFile && name === expected) {
      const file = Readable.from(wholeFile(stream, parts));
      const createReadStream = () => {
        if (file.readableDidRead) throw new DomainError('body-format-error');
        return file;
      };
      return { filename: fileName, createReadStream };
    }
    stream.resume();
  }
}

/** Ends with the request: what follows the file can still spoil it. */
async function* wholeFile(file: Readable, parts: AsyncGenerator<Part>): AsyncGenerator<unknown> {
  yield* file;
  for await (const { isFile, stream } of parts) {
    if (isFile) throw tooManyFiles();
    stream.resume();
  }
}
