import { Budget } from './budget.js';
import { readBounded } from './read-bounded.js';
import { type HeldFile, type UploadedFile } from './uploaded-file.js';

/** Uploads of all requests together hold this much; beyond it they wait in their sockets. */
const mostBytesHeld = 8 * 2 ** 20;

/**
 * Reads a file whole. One that is held further out is handed on as it is, neither counted nor copied again: a request
 * that waited for memory beside what it holds already could wait for itself.
 * @throws LogoTooLargeError as soon as more than the bound have come
 * @throws the stream's error, or one with the code ERR_STREAM_PREMATURE_CLOSE, if the sender went away
 */
export type Hold = (file: UploadedFile) => Promise<HeldFile>;

/**
 * Receives files of requests through either door, however many at once: the bytes held of all of them are bounded by
 * 8 MiB and one request. The memory is counted as it comes, so that slow senders, who have sent little, keep nobody
 * waiting.
 */
export class LogoIntake {
  readonly #bytesHeld = new Budget(mostBytesHeld);

  /** @param maxBytes the largest file taken, inclusive */
  constructor(readonly maxBytes: number) {}

  /** Calls `use` with the means to hold files; what was held is given back when `use` ends. */
  async lend<T>(use: (hold: Hold) => Promise<T>): Promise<T> {
    const share = this.#bytesHeld.open();
    const holdMore = (bytes: number) => share.take(bytes);
    try {
      return await use(async (file) => {
        if ('bytes' in file) return file;
        return { bytes: await readBounded(file.createReadStream(), this.maxBytes, holdMore), holdMore };
      });
    } finally {
      share.release();
    }
  }
}
