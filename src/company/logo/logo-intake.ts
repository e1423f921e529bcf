import { type Readable } from 'node:stream';
import { Budget } from './budget.js';
import { readBounded } from './read-bounded.js';

export interface HeldFile {
  bytes: Buffer;
  /** The sender's subject. */
  caller: string;
  filename?: string | undefined;
  /** Limits the re-encoded file. Infinite for a logo that a gateway exported. */
  mostStoredBytes: number;
  /** Waits until the request may hold this many more bytes. */
  holdMore(bytes: number): Promise<void>;
}

/**
 * Re-encoding makes ordinary pictures at most 2.3 times larger, but a malicious picture of 180 kB would grow to 46 MB. A line of an import
 * has room for a logo of 16 MiB.
 */
export const mostStoredBytes = (maxFileBytes: number): number => Math.min(4 * maxFileBytes, 16 * 2 ** 20);

/** A stream that can be read once, or a file already in memory. */
export type UploadedFile = (Pick<HeldFile, 'filename'> & { createReadStream(): Readable }) | HeldFile;

/** Uploads over a limit wait in their sockets. If one caller's uploads stall, two other callers still have room. */
const mostBytesHeld = { all: 16 * 2 ** 20, each: 2 ** 21 };

/**
 * Reads a whole file. Returns a file already in memory without counting it again: a request could wait forever for memory that it holds
 * itself.
 * @throws DomainError payload-too-large as soon as the file exceeds the limit
 * @throws the stream's error, or ERR_STREAM_PREMATURE_CLOSE if the sender went away
 */
export type Hold = (file: UploadedFile) => Promise<HeldFile>;

/**
 * Reads the files of both APIs. All requests together hold at most 16 MiB plus one request, and each caller's requests at most 2 MiB plus
 * one request. Bytes don't count before they arrive, so a slow sender blocks nobody.
 */
export class LogoIntake {
  readonly #bytesHeld = new Budget(mostBytesHeld);

  /** @param maxBytes the largest file accepted */
  constructor(readonly maxBytes: number) {}

  /** Releases the memory of the files when `use` ends. @param caller the sender's subject */
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
