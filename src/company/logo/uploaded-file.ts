import { type Readable } from 'node:stream';

/** A file that is held in memory whole. */
export interface HeldFile {
  bytes: Buffer;
  /** The subject who sent it. */
  caller: string;
  /** Waits until the request that holds the file may hold so many bytes more. */
  holdMore(bytes: number): Promise<void>;
}

/** A file of a request, as either door hands it on: still to come, from a stream that can be read once, or held already. */
export type UploadedFile = { createReadStream(): Readable & { truncated?: boolean } } | HeldFile;
