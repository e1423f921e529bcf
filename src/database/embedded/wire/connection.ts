import { once } from 'node:events';
import type { Socket } from 'node:net';
import { MAX_MESSAGE_BYTES } from '../commands/connection.js';
import { type BsonDocument } from '../values/document.js';
import { encodeReply, HEADER_BYTES, parseMessage, type WireRequest } from './message.js';

/** Resolves when the answer may be sent. */
export type AnswerRequest = (request: WireRequest) => Promise<BsonDocument>;

/** Answers messages in order. Stops reading while the client reads no answers. A malformed message closes only this connection. */
export async function serveConnection(socket: Socket, answer: AnswerRequest): Promise<void> {
  let chunks: Buffer[] = [];
  let received = 0;
  socket.setNoDelay(true);
  try {
    for await (const chunk of socket as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      received += chunk.length;
      for (const message of takeMessages()) await handle(parseMessage(message));
    }
  } catch {
    socket.destroy();
  }

  function* takeMessages(): Generator<Buffer> {
    while (received >= HEADER_BYTES) {
      // Join chunks only once a message is complete: a large message comes in hundreds of chunks.
      if (chunks.length > 1 && (chunks[0]?.length ?? 0) < 4) chunks = [Buffer.concat(chunks)];
      const length = chunks[0]?.readInt32LE(0) ?? 0;
      if (length < HEADER_BYTES || length > MAX_MESSAGE_BYTES)
        throw new Error('the length of a message is invalid');
      if (received < length) return;
      const bytes = Buffer.concat(chunks);
      chunks = received > length ? [bytes.subarray(length)] : [];
      received -= length;
      yield bytes.subarray(0, length);
    }
  }

  async function handle(request: WireRequest): Promise<void> {
    const document = await answer(request);
    if (request.isSilent || socket.destroyed) return;
    if (!socket.write(encodeReply(request, document))) await once(socket, 'drain');
  }
}
