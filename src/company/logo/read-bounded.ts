import type { Readable } from 'node:stream';
import { logoTooLarge } from './logo-errors.js';

/**
 * After an error, discards the rest of the stream: an unread stream would stall the multipart parser or socket behind it, and destroying
 * the stream could cut off the reply.
 *
 * @param beforeKeeping called with the size of each piece; the stream pauses until the call ends
 * @throws DomainError payload-too-large at the first byte over the limit
 * @throws the stream's error, or ERR_STREAM_PREMATURE_CLOSE if the stream closes before its end
 */
export async function readBounded(
  stream: Readable,
  maxBytes: number,
  beforeKeeping?: (bytes: number) => Promise<void> | void,
): Promise<Buffer> {
  const kept: Uint8Array[] = [];
  let length = 0;
  try {
    const pieces: AsyncIterable<Uint8Array> = stream.iterator({ destroyOnReturn: false });
    for await (const piece of pieces) {
      if (length + piece.length > maxBytes) throw logoTooLarge(maxBytes);
      await beforeKeeping?.(piece.length);
      kept.push(piece);
      length += piece.length;
    }
  } catch (error) {
    stream.on('error', () => undefined).resume();
    throw error;
  }
  return Buffer.concat(kept, length);
}
