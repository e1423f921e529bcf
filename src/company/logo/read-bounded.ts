import type { Readable } from 'node:stream';
import { logoTooLarge } from './logo-errors.js';

/**
 * Reads a stream to its end and keeps at most `maxBytes`.
 *
 * If anything goes wrong, the rest of the stream is read and thrown away. If nobody read it, the multipart parser or socket
 * behind it would stall; if we destroyed it, the reply could be cut off.
 *
 * @param beforeKeeping awaited with the size of each piece before it is kept; the stream is paused meanwhile.
 * @throws DomainError payload-too-large at the first byte too many.
 * @throws the stream's own error; an error with the code ERR_STREAM_PREMATURE_CLOSE if it closes before its end.
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
