import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Connection, mongo } from 'mongoose';
import type { LogoImage } from './logo-image.js';

interface LogoFile extends mongo.GridFSFile {
  /** The hash of the content; unique. */
  filename: string;
  metadata: {
    contentType: LogoImage['contentType'];
    /** The last time that someone was about to point at it. */
    putAt: Date;
    /** The removal that is under way, if one is. Whoever puts the logo again takes it off. */
    removal?: mongo.ObjectId;
  };
}

interface LogoChunk {
  files_id: mongo.ObjectId;
  n: number;
}

const BUCKET = 'logos';
const CHUNK_BYTES = 255 * 1024;
const DUPLICATE_KEY = 11_000;
/** A put meets a removal or another put of the same logo at most once or twice in practice. */
const MAX_PUT_ATTEMPTS = 10;

/**
 * Logos in GridFS, one file per content, named by its hash. Each upload has an `_id` of its own, so what one upload
 * left half-written or one removal still deletes never touches the chunks of another.
 *
 * No logo that an acknowledged record points at is ever removed, without transactions and without waiting:
 * - who points at a logo puts it, writes the record, and puts it again ({@link attach} does all three);
 * - who removes one marks it, then looks whether it is still used, then deletes it only if the mark is still there;
 * - a put takes the mark off, or writes the file anew if it is gone.
 * So if the second put came before the mark, the look sees the record; if it came after, it takes the mark off or
 * finds the file gone and brings it back, in either case before the write is acknowledged.
 */
export class LogoStore {
  #indexes: Promise<unknown> | undefined;

  /** @param now the clock, for the age of orphans */
  constructor(
    private readonly connection: Connection,
    private readonly now: () => Date,
  ) {}

  /**
   * Runs `writeRecord`, which makes a record point at this logo, so that the logo is there before, and is still there
   * when this resolves. Should the process die in between, an orphan is left for {@link removeOrphans}.
   */
  async attach<T>(image: LogoImage, writeRecord: () => Promise<T>): Promise<T> {
    await this.put(image);
    const written = await writeRecord();
    await this.put(image);
    return written;
  }

  /** Stores the logo unless it is there. Safe to repeat and to run in parallel; a failed one leaves no file. */
  async put(image: LogoImage): Promise<void> {
    await (this.#indexes ??= this.#createIndexes());
    for (let attempt = 0; attempt < MAX_PUT_ATTEMPTS; attempt++) {
      if ((await this.#retain(image.hash)) || (await this.#upload(image))) return;
    }
    throw new Error(`The logo ${image.hash} could not be stored: it was removed each time.`);
  }

  /** The stored logo, or null. `length` is in bytes. */
  async open(
    hash: string,
  ): Promise<{ contentType: LogoImage['contentType']; length: number; stream: Readable } | null> {
    const file = await this.#files.findOne({ filename: hash });
    if (!file) return null;
    const { contentType } = file.metadata;
    return { contentType, length: file.length, stream: this.#bucket.openDownloadStream(file._id) };
  }

  /**
   * Removes the logo if no record points at it, at once. `isStillUsed` must read what was last acknowledged.
   *
   * @returns whether it was removed
   */
  async removeUnless(hash: string, isStillUsed: () => Promise<boolean>): Promise<boolean> {
    const removal = new mongo.ObjectId();
    const file = await this.#files.findOneAndUpdate(
      { filename: hash },
      { $set: { 'metadata.removal': removal } },
    );
    // A mark that stays behind means nothing: only the removal that set it deletes by it.
    if (!file || (await isStillUsed())) return false;
    const { deletedCount } = await this.#files.deleteOne({ _id: file._id, 'metadata.removal': removal });
    if (deletedCount === 0) return false;
    await this.#chunks.deleteMany({ files_id: file._id });
    return true;
  }

  /**
   * Removes what crashes have left: logos that nothing points at, and chunks of uploads and removals that were never
   * finished. Memory stays constant; safe beside anything else, itself included.
   *
   * @param isUsed whether a record points at the logo with this hash
   * @param olderThanMs what is younger is left alone; well beyond the time that an upload takes, say an hour
   * @param goOn asked before each logo and each upload: whether to go on
   * @returns how many logos and unfinished uploads were removed
   */
  async removeOrphans(
    isUsed: (hash: string) => Promise<boolean>,
    olderThanMs: number,
    goOn: () => Promise<boolean> = async () => true,
  ): Promise<number> {
    const before = new Date(this.now().getTime() - olderThanMs);
    let removed = 0;
    for await (const { filename } of this.#files.find({ 'metadata.putAt': { $lt: before } })) {
      if (!(await goOn())) return removed;
      // Looked at once more by the removal; first here, so that the many in use are not written to.
      if (await isUsed(filename)) continue;
      if (await this.removeUnless(filename, () => isUsed(filename))) removed++;
    }
    for await (const uploadId of this.#uploadsBefore(before)) {
      if (!(await goOn())) return removed;
      if (await this.#files.findOne({ _id: uploadId }, { projection: { _id: 1 } })) continue;
      await this.#chunks.deleteMany({ files_id: uploadId });
      removed++;
    }
    return removed;
  }

  /** Whether the file is there; if so, no removal that is under way will delete it. */
  async #retain(hash: string): Promise<boolean> {
    const { matchedCount } = await this.#files.updateOne(
      { filename: hash },
      { $set: { 'metadata.putAt': this.now() }, $unset: { 'metadata.removal': '' } },
    );
    return matchedCount > 0;
  }

  /** Whether it was uploaded; false when a parallel upload of the same content came first. */
  async #upload({ bytes, contentType, hash }: LogoImage): Promise<boolean> {
    const metadata: LogoFile['metadata'] = { contentType, putAt: this.now() };
    const upload = this.#bucket.openUploadStream(hash, { metadata });
    try {
      await pipeline(Readable.from(slices(bytes)), upload);
      return true;
    } catch (error) {
      // The chunks are nobody's now. If this fails as well, removeOrphans finds them.
      await this.#chunks.deleteMany({ files_id: upload.id }).catch(() => undefined);
      if (error instanceof mongo.MongoServerError && error.code === DUPLICATE_KEY) return false;
      throw error;
    }
  }

  /** The ids of uploads begun before then that have chunks, finished or not. */
  async *#uploadsBefore(date: Date): AsyncGenerator<mongo.ObjectId> {
    const end = mongo.ObjectId.createFromTime(Math.max(0, Math.floor(date.getTime() / 1_000)));
    // Read from the index alone, in its order, so that the chunks of one upload follow each other.
    const chunks = this.#chunks
      .find({ files_id: { $lt: end } }, { projection: { _id: 0, files_id: 1 } })
      .sort({ files_id: 1, n: 1 });
    let last: mongo.ObjectId | undefined;
    for await (const { files_id } of chunks) {
      if (last?.equals(files_id)) continue;
      yield files_id;
      last = files_id;
    }
  }

  async #createIndexes(): Promise<void> {
    try {
      await this.#files.createIndex({ filename: 1 }, { unique: true });
      await this.#chunks.createIndex({ files_id: 1, n: 1 }, { unique: true });
    } catch (error) {
      this.#indexes = undefined;
      throw error;
    }
  }

  get #db(): mongo.Db {
    if (!this.connection.db) throw new Error('The database is not connected.');
    return this.connection.db;
  }

  get #bucket(): mongo.GridFSBucket {
    return new mongo.GridFSBucket(this.#db, { bucketName: BUCKET, chunkSizeBytes: CHUNK_BYTES });
  }

  get #files(): mongo.Collection<LogoFile> {
    return this.#db.collection(`${BUCKET}.files`);
  }

  get #chunks(): mongo.Collection<LogoChunk> {
    return this.#db.collection(`${BUCKET}.chunks`);
  }
}

/** Chunk by chunk, so that they are stored one after the other. */
function* slices(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += CHUNK_BYTES)
    yield bytes.subarray(start, start + CHUNK_BYTES);
}
