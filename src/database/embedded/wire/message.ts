import { serialize } from 'bson';
import { type BsonDocument, decodeDocument } from '../values/document.js';
import { StoreError, unknown } from '../values/store-error.js';

/** The length, the request's number, the number it answers, and the kind: four little-endian integers. */
export const HEADER_BYTES = 16;

const OP_REPLY = 1;
const OP_QUERY = 2004;
const OP_MSG = 2013;

const FLAG_MORE_TO_COME = 2;
/** The lower half of the flags: a receiver must refuse those that it does not know. */
const REQUIRED_FLAGS = 0xffff;

/** A command as it came over the wire. */
export interface WireRequest {
  requestId: number;
  /** Whether it came as the legacy query that opens old handshakes, and so wants the legacy answer. */
  isLegacy: boolean;
  /** Whether the client waits for no answer. */
  isSilent: boolean;
  /** Decodes the command. @throws StoreError when it holds values of a type that the store does not keep */
  readCommand: () => BsonDocument;
}

/** Reads a whole message, header included. @throws Error when it breaks the protocol: then nothing after it can be trusted */
export function parseMessage(message: Buffer): WireRequest {
  const requestId = message.readInt32LE(4);
  const kind = message.readInt32LE(12);
  if (kind === OP_QUERY) {
    const nameEnd = message.indexOf(0, HEADER_BYTES + 4);
    assertWellFormed(nameEnd >= 0, 'the query names no collection');
    const body = sized(message, nameEnd + 9);
    return { requestId, isLegacy: true, isSilent: false, readCommand: () => decode(body) };
  }
  assertWellFormed(kind === OP_MSG, `messages of the kind ${kind} are not understood`);
  assertWellFormed(message.length >= HEADER_BYTES + 5, 'the message is cut short');
  const flags = message.readUInt32LE(HEADER_BYTES);
  const unknownFlags = flags & REQUIRED_FLAGS & ~FLAG_MORE_TO_COME;
  assertWellFormed(unknownFlags === 0, 'the message has flags that are not understood');
  const readCommand = splitSections(message.subarray(HEADER_BYTES + 4));
  return { requestId, isLegacy: false, isSilent: (flags & FLAG_MORE_TO_COME) !== 0, readCommand };
}

/** The message that answers a request. */
export function encodeReply({ requestId, isLegacy }: WireRequest, reply: BsonDocument): Buffer {
  const body = encodeBody(reply);
  const prefix = Buffer.alloc(HEADER_BYTES + (isLegacy ? 20 : 5));
  prefix.writeInt32LE(prefix.length + body.length, 0);
  prefix.writeInt32LE(requestId, 8);
  prefix.writeInt32LE(isLegacy ? OP_REPLY : OP_MSG, 12);
  // A legacy answer says how many documents it holds; all its other numbers, and the flags, are zero.
  if (isLegacy) prefix.writeInt32LE(1, HEADER_BYTES + 16);
  return Buffer.concat([prefix, body]);
}

function encodeBody(reply: BsonDocument): Uint8Array {
  try {
    return serialize(reply);
  } catch (error) {
    // bson's buffer ends a little past the largest document that MongoDB allows.
    if ((error as Error).name !== 'RangeError') throw error;
    return serialize(new StoreError('BSONObjectTooLarge', 'the answer is larger than 16 MiB').reply);
  }
}

/** A message has one body, and lists beside it, such as the documents of an insert. */
function splitSections(bytes: Buffer): () => BsonDocument {
  let body: Buffer | undefined;
  const lists: [name: string, documents: Buffer[]][] = [];
  for (let offset = 0; offset < bytes.length;) {
    const kind = bytes[offset];
    const section = sized(bytes, offset + 1);
    offset += 1 + section.length;
    assertWellFormed(kind === 1 || (kind === 0 && !body), 'the message has a section that is not understood');
    if (kind === 0) body = section;
    else lists.push(splitList(section));
  }
  return () => {
    assertWellFormed(body !== undefined, 'the message has no body');
    const command = decode(body);
    for (const [name, documents] of lists) command[name] = documents.map(decode);
    return command;
  };
}

function splitList(section: Buffer): [name: string, documents: Buffer[]] {
  const nameEnd = section.indexOf(0, 4);
  assertWellFormed(nameEnd >= 0, 'a section has no name');
  const documents: Buffer[] = [];
  for (let offset = nameEnd + 1; offset < section.length;) {
    const document = sized(section, offset);
    documents.push(document);
    offset += document.length;
  }
  return [section.toString('utf8', 4, nameEnd), documents];
}

/** The bytes at an offset that begin with their own length. */
function sized(bytes: Buffer, offset: number): Buffer {
  const length = offset + 5 <= bytes.length ? bytes.readInt32LE(offset) : 0;
  assertWellFormed(length >= 5 && offset + length <= bytes.length, 'a section is cut short');
  return bytes.subarray(offset, offset + length);
}

function decode(bytes: Buffer): BsonDocument {
  try {
    return decodeDocument(bytes);
  } catch (error) {
    // A pattern that only PCRE knows is BSON, and so a fault of the command alone.
    if ((error as Error).name === 'SyntaxError') throw unknown('Location51091', (error as Error).message);
    throw error;
  }
}

function assertWellFormed(condition: boolean, fault: string): asserts condition {
  if (!condition) throw new Error(fault);
}
