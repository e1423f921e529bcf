import { Budget } from './budget.js';
import { readBounded } from './read-bounded.js';
import { type HeldFile, type UploadedFile } from './uploaded-file.js';

/**
 * Uploads of all requests together hold this much, and those of one caller; beyond it they wait in their sockets. One
 * caller's uploads, which may go past theirs by one, leave room for those of two others, even when none of them goes on.
 */
const mostBytesHeld = { all: 16 * 2 ** 20, each: 2 ** 21 };

/**
 * Reads a file whole. One that is held further out is handed on as it is, neither counted nor copied again: a request
 * that waited for memory beside what it holds already could wait for itself.
 * @throws LogoTooLargeError as soon as more than the bound have come
 * @throws the stream's error, or one with the code ERR_STREAM_PREMATURE_CLOSE, if the sender went away
 */
export type Hold = (file: UploadedFile) => Promise<HeldFile>;

/**
 * Receives files of requests through either door, however many at once: the bytes held of all of them are bounded by
 * 16 MiB and one request, those of one caller by 2 MiB and one request. The memory is counted as it comes, so that slow
 * senders, who have sent little, keep nobody waiting (Contract 8.6.9).
 */
export class LogoIntake {
  readonly #bytesHeld = new Budget(mostBytesHeld);

  /** @param maxBytes the largest file taken, inclusive */
  constructor(readonly maxBytes: number) {}

  /**
   * Calls `use` with the means to hold files; what was held is given back when `use` ends.
   * @param caller the subject whose files they are
   */
  async lend<T>(caller: string, use: (hold: Hold) => Promise<T>): Promise<T> {
    const share = this.#bytesHeld.open(caller);
    const holdMore = (bytes: number) => share.take(bytes);
    try {
      return await use(async (file) => {
        if ('bytes' in file) return file;
        const bytes = await readBounded(file.createReadStream(), this.maxBytes, holdMore);
        return { bytes, caller, holdMore };
      });
    } finally {
      share.release();
    }
  }
}
