import { type Readable } from 'node:stream';
import { Budget } from './budget.js';
import { readBounded } from './read-bounded.js';

/** A file that is in memory whole. */
export interface HeldFile {
  bytes: Buffer;
  /** The subject who sent it. */
  caller: string;
  /** As its sender calls it. */
  filename?: string | undefined;
  /** The most bytes that may be stored of it; infinite for one that was stored before. */
  mostStoredBytes: number;
  /** Waits until the request that holds the file may hold so many bytes more. */
  holdMore(bytes: number): Promise<void>;
}

/**
 * The most bytes that are stored of a file. Honest pictures grow to 2.3 times their bytes at most; one of 180 kB that is made to
 * swell would grow to 46 MB.
 */
export const mostStoredBytes = (maxFileBytes: number): number => 4 * maxFileBytes;

/** A file of a request, as either API passes it on: a stream that can be read once, or a file that is in memory already. */
export type UploadedFile = (Pick<HeldFile, 'filename'> & { createReadStream(): Readable }) | HeldFile;

/**
 * Bytes that the uploads of all requests together may hold, and those of one caller. Uploads that would take more wait in
 * their sockets. A caller may pass its bound by one upload, which leaves room for the uploads of two others even if its own
 * never go on.
 */
const mostBytesHeld = { all: 16 * 2 ** 20, each: 2 ** 21 };

/**
 * Reads a file whole. A file that is in memory already is passed on without being copied or counted again: if a request had
 * to wait for memory that it holds itself, it would wait for ever.
 * @throws DomainError payload-too-large as soon as the file exceeds the bound
 * @throws the stream's error, or one with the code ERR_STREAM_PREMATURE_CLOSE if the sender went away
 */
export type Hold = (file: UploadedFile) => Promise<HeldFile>;

/**
 * Reads the files of requests, through either API and however many at once. All together hold at most 16 MiB and one
 * request more, those of one caller at most 2 MiB and one request more. Bytes are counted when they arrive, so a slow
 * sender, of whose file little is there, keeps nobody waiting (Contract 8.6.9).
 */
export class LogoIntake {
  readonly #bytesHeld = new Budget(mostBytesHeld);

  /** @param maxBytes the largest file taken, inclusive */
  constructor(readonly maxBytes: number) {}

  /**
   * Calls `use` with a function that reads files. What they hold is given back when `use` ends.
   * @param caller the subject whose files they are
   */
  async lend<T>(caller: string, use: (hold: Hold) => Promise<T>): Promise<T> {
    const share = this.#bytesHeld.open(caller);
    const holdMore = (bytes: number) => share.take(bytes);
    try {
      return await use(async (file) => {
        if ('bytes' in file) return file;
        const bytes = await readBounded(file.createReadStream(), this.maxBytes, holdMore);
        const { filename } = file;
        return { bytes, caller, filename, mostStoredBytes: mostStoredBytes(this.maxBytes), holdMore };
      });
    } finally {
      share.release();
    }
  }
}
