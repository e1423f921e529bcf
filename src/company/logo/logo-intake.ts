import { type Readable } from 'node:stream';
import { Budget } from './budget.js';
import { readBounded } from './read-bounded.js';

/** A file that is wholly in memory. */
export interface HeldFile {
  bytes: Buffer;
  /** The subject that sent it. */
  caller: string;
  /** The file name that the sender gave. */
  filename?: string | undefined;
  /** The largest size of the re-encoded file, in bytes. Infinite for a logo that a gateway exported. */
  mostStoredBytes: number;
  /** Waits until the request may hold this many more bytes. */
  holdMore(bytes: number): Promise<void>;
}

/**
 * The largest size of a re-encoded file, in bytes. Ordinary pictures grow at most 2.3 times, but a malicious picture of
 * 180 kB would grow to 46 MB.
 */
export const mostStoredBytes = (maxFileBytes: number): number => 4 * maxFileBytes;

/** A file of a request through either API: a stream that can be read once, or a file already in memory. */
export type UploadedFile = (Pick<HeldFile, 'filename'> & { createReadStream(): Readable }) | HeldFile;

/**
 * How many bytes uploads may hold in memory: `all` for all requests together, `each` for one caller. Further uploads wait in
 * their sockets. A caller may exceed its limit by one upload. If one caller's uploads stall, two other callers still have room.
 */
const mostBytesHeld = { all: 16 * 2 ** 20, each: 2 ** 21 };

/**
 * Reads a whole file. Returns a file that is already in memory, and does not copy or count it again. Counting it twice could
 * make a request wait forever for memory that the request itself holds.
 * @throws DomainError payload-too-large as soon as the file exceeds the limit
 * @throws the stream's error, or an error with the code ERR_STREAM_PREMATURE_CLOSE if the sender went away
 */
export type Hold = (file: UploadedFile) => Promise<HeldFile>;

/**
 * Reads the files of requests through both APIs. All requests together hold at most 16 MiB plus one request, and each
 * caller's requests hold at most 2 MiB plus one request. Bytes don't count before they arrive, so a slow sender blocks nobody
 * (Contract 8.6.9).
 */
export class LogoIntake {
  readonly #bytesHeld = new Budget(mostBytesHeld);

  /** @param maxBytes the largest file accepted, inclusive */
  constructor(readonly maxBytes: number) {}

  /**
   * Calls `use` with a function that reads files. Releases the memory of these files when `use` ends.
   * @param caller the subject that sends the files
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
