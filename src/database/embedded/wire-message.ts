import { serialize } from 'bson';
import type { BsonDocument } from './bson-document.js';
import { StoreError } from './store-error.js';
import { decodeDocument } from './supported-values.js';

/** What a message may weigh. MongoDB's own limit. */
export const MAX_MESSAGE_BYTES = 48_000_000;
/** The length, the request's number, the number it answers, and the kind: four little-endian integers. */
export const HEADER_BYTES = 16;

const OP_REPLY = 1;
const OP_QUERY = 2004;
const OP_MSG = 2013;

const FLAG_CHECKSUM = 1;
const FLAG_MORE_TO_COME = 2;
/** The lower half of the flags: a receiver must refuse those it does not know. */
const REQUIRED_FLAGS = 0xffff;

/** A message that does not follow the protocol. Nothing after it can be trusted: the connection must be closed. */
export class MalformedMessageError extends Error {
  override readonly name = 'MalformedMessageError';
}

/** A command as it came over the wire. */
export interface WireRequest {
  requestId: number;
  /** Whether it came as the legacy query that opens old handshakes, and so wants the legacy answer. */
  isLegacy: boolean;
  /** Whether the client waits for no answer. */
  isSilent: boolean;
  /** Decodes the command. @throws StoreError when it holds values of a type the store does not keep */
  readCommand(): BsonDocument;
}

/**
 * Reads a whole message, header included.
 * @throws MalformedMessageError when it breaks the protocol
 */
export function parseMessage(message: Buffer): WireRequest {
  const requestId = message.readInt32LE(4);
  const kind = message.readInt32LE(12);
  if (kind === OP_QUERY)
    return { requestId, isLegacy: true, isSilent: false, readCommand: readQuery(message) };
  if (kind !== OP_MSG) throw new MalformedMessageError(`messages of the kind ${kind} are not understood`);
  if (message.length < HEADER_BYTES + 5) throw new MalformedMessageError('the message is cut short');
  const flags = message.readUInt32LE(HEADER_BYTES);
  if ((flags & REQUIRED_FLAGS & ~(FLAG_CHECKSUM | FLAG_MORE_TO_COME)) !== 0) {
    throw new MalformedMessageError('the message has flags that are not understood');
  }
  const end = message.length - (flags & FLAG_CHECKSUM ? 4 : 0);
  const sections = splitSections(message.subarray(HEADER_BYTES + 4, end));
  return {
    requestId,
    isLegacy: false,
    isSilent: (flags & FLAG_MORE_TO_COME) !== 0,
    readCommand: () => join(sections),
  };
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

interface Sections {
  body: Buffer;
  /** Lists that are sent beside the body, such as the documents of an insert. */
  lists: { name: string; documents: Buffer[] }[];
}

function splitSections(bytes: Buffer): Sections {
  let body: Buffer | undefined;
  const lists: Sections['lists'] = [];
  for (let offset = 0; offset < bytes.length;) {
    const kind = bytes[offset];
    const section = sized(bytes, offset + 1);
    offset += 1 + section.length;
    if (kind === 0 && body === undefined) body = section;
    else if (kind === 1) lists.push(splitList(section));
    else throw new MalformedMessageError('the message has a section that is not understood');
  }
  if (body === undefined) throw new MalformedMessageError('the message has no body');
  return { body, lists };
}

function splitList(section: Buffer): Sections['lists'][number] {
  const nameEnd = section.indexOf(0, 4);
  if (nameEnd < 0) throw new MalformedMessageError('a section has no name');
  const documents: Buffer[] = [];
  for (let offset = nameEnd + 1; offset < section.length;) {
    const document = sized(section, offset);
    documents.push(document);
    offset += document.length;
  }
  return { name: section.toString('utf8', 4, nameEnd), documents };
}

/** The bytes at an offset that begin with their own length. */
function sized(bytes: Buffer, offset: number): Buffer {
  const length = offset + 5 <= bytes.length ? bytes.readInt32LE(offset) : 0;
  if (length < 5 || offset + length > bytes.length) throw new MalformedMessageError('a section is cut short');
  return bytes.subarray(offset, offset + length);
}

function join({ body, lists }: Sections): BsonDocument {
  const command = decode(body);
  for (const { name, documents } of lists) command[name] = documents.map(decode);
  return command;
}

function readQuery(message: Buffer): () => BsonDocument {
  const nameEnd = message.indexOf(0, HEADER_BYTES + 4);
  if (nameEnd < 0) throw new MalformedMessageError('the query names no collection');
  const body = sized(message, nameEnd + 9);
  return () => decode(body);
}

function decode(bytes: Buffer): BsonDocument {
  try {
    return decodeDocument(bytes);
  } catch (error) {
    // What bson cannot read is no BSON; a type that the store refuses is another matter.
    if ((error as Error).name !== 'StoreError') throw new MalformedMessageError((error as Error).message);
    throw error;
  }
}
