import { serialize } from 'bson';
import assert from 'node:assert/strict';
import { type BsonDocument, decodeDocument } from '../values/document.js';

/** Four little-endian integers: length, message id, id of the answered request, and opcode. */
export const HEADER_BYTES = 16;

const OP_REPLY = 1;
const OP_QUERY = 2004;
const OP_MSG = 2013;

const FLAG_MORE_TO_COME = 2;

export interface WireRequest {
  requestId: number;
  /** Whether the message is an OP_QUERY, as in old handshakes, and expects an OP_REPLY. */
  isLegacy: boolean;
  /** Whether the client expects no answer. */
  isSilent: boolean;
  /** @throws StoreError for a value whose type the store doesn't keep */
  readCommand: () => BsonDocument;
}

/** @throws Error if the message breaks the protocol; the rest of the stream can't be trusted then */
export function parseMessage(message: Buffer): WireRequest {
  const requestId = message.readInt32LE(4);
  const kind = message.readInt32LE(12);
  if (kind === OP_QUERY) {
    const nameEnd = message.indexOf(0, HEADER_BYTES + 4);
    const body = sized(message, nameEnd + 9);
    return { requestId, isLegacy: true, isSilent: false, readCommand: () => decodeDocument(body) };
  }
  assert(kind === OP_MSG, `messages of the kind ${kind} are not understood`);
  const flags = message.readUInt32LE(HEADER_BYTES);
  const readCommand = splitSections(message.subarray(HEADER_BYTES + 4));
  return { requestId, isLegacy: false, isSilent: (flags & FLAG_MORE_TO_COME) !== 0, readCommand };
}

export function encodeReply({ requestId, isLegacy }: WireRequest, reply: BsonDocument): Buffer {
  const body = serialize(reply);
  const prefix = Buffer.alloc(HEADER_BYTES + (isLegacy ? 20 : 5));
  prefix.writeInt32LE(prefix.length + body.length, 0);
  prefix.writeInt32LE(requestId, 8);
  prefix.writeInt32LE(isLegacy ? OP_REPLY : OP_MSG, 12);
  // The number of documents; all other fields of OP_REPLY are zero.
  if (isLegacy) prefix.writeInt32LE(1, HEADER_BYTES + 16);
  return Buffer.concat([prefix, body]);
}

/** A message has one body, and may have lists, such as the documents of an insert. */
function splitSections(bytes: Buffer): () => BsonDocument {
  let body: Buffer | undefined;
  const lists: [name: string, documents: Buffer[]][] = [];
  for (let offset = 0; offset < bytes.length;) {
    const kind = bytes[offset];
    const section = sized(bytes, offset + 1);
    offset += 1 + section.length;
    if (kind === 0) body = section;
    else lists.push(splitList(section));
  }
  return () => {
    const command = decodeDocument(body!);
    for (const [name, documents] of lists) command[name] = documents.map(decodeDocument);
    return command;
  };
}

function splitList(section: Buffer): [name: string, documents: Buffer[]] {
  const nameEnd = section.indexOf(0, 4);
  const documents: Buffer[] = [];
  for (let offset = nameEnd + 1; offset < section.length;) {
    const document = sized(section, offset);
    documents.push(document);
    offset += document.length;
  }
  return [section.toString('utf8', 4, nameEnd), documents];
}

/** The part that starts at an offset, with its length in the first four bytes. */
function sized(bytes: Buffer, offset: number): Buffer {
  const length = offset + 5 <= bytes.length ? bytes.readInt32LE(offset) : 0;
  assert(length >= 5 && offset + length <= bytes.length, 'a section is cut short');
  return bytes.subarray(offset, offset + length);
}
