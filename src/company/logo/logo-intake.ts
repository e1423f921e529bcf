import type { Readable } from 'node:stream';
import { Budget } from './budget.js';
import { type LogoImage, normaliseLogo } from './logo-image.js';
import { readBounded } from './read-bounded.js';

/** Uploads together hold this much; beyond it they wait in their sockets. */
const MAX_BYTES_HELD = 32 * 2 ** 20;

/**
 * Receives logos from streams, however many at once: the bytes held of all of them are bounded by 32 MiB and one
 * file. The memory is counted as it comes, so that slow senders, who have sent little, keep nobody waiting.
 */
export class LogoIntake {
  readonly #bytesHeld = new Budget(MAX_BYTES_HELD);

  /** @param maxBytes the largest file taken, inclusive */
  constructor(private readonly maxBytes: number) {}

  /**
   * @throws LogoTooLargeError as soon as more than `maxBytes` have come
   * @throws LogoFormatError see {@link normaliseLogo}
   * @throws the stream's error, or one with the code ERR_STREAM_PREMATURE_CLOSE, if the sender went away
   */
  async receive(stream: Readable & { truncated?: boolean }): Promise<LogoImage> {
    const share = this.#bytesHeld.open();
    try {
      return await normaliseLogo(await readBounded(stream, this.maxBytes, (bytes) => share.take(bytes)));
    } finally {
      share.release();
    }
  }
}
