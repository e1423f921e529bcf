import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Connection, mongo } from 'mongoose';
import { isDuplicateKey } from '../../errors/mask-error.js';
import { type LogoImage } from './logo-image.js';

interface LogoFile extends mongo.GridFSFile {
  /** The hash of the content; unique. */
  filename: string;
  metadata: {
    contentType: LogoImage['contentType'];
    /** When an update last made sure that the file is there, before it let a company point at it. */
    putAt: Date;
  };
}

interface LogoChunk {
  files_id: mongo.ObjectId;
  n: number;
}

const BUCKET = 'logos';
const CHUNK_BYTES = 255 * 1024;

/**
 * Stores logos in GridFS, one file per content, named by its hash. Each upload has an `_id` of its own. When an upload or a
 * removal breaks off, its remains can be deleted without touching the chunks of another.
 *
 * No logo that a company points at is ever removed. An update first puts the file, or renews its time if it is there, and
 * then writes the record. The removal takes only files that were put long ago, and the command that deletes looks at that
 * time once more. So if an update puts a file just before its removal, the file stays; if it comes just after, it uploads
 * the file again.
 */
export class LogoStore {
  readonly #bucket: mongo.GridFSBucket;
  readonly #files: mongo.Collection<LogoFile>;
  readonly #chunks: mongo.Collection<LogoChunk>;
  #indexes: Promise<unknown> | undefined;

  /** @param now the clock, for the age of orphans */
  constructor(
    connection: Connection,
    private readonly now: () => Date,
  ) {
    const db = connection.getClient().db(connection.name);
    this.#bucket = new mongo.GridFSBucket(db, { bucketName: BUCKET, chunkSizeBytes: CHUNK_BYTES });
    this.#files = db.collection(`${BUCKET}.files`);
    this.#chunks = db.collection(`${BUCKET}.chunks`);
  }

  /**
   * Makes sure that the logo is there, and that it stays for longer than any update takes to point at it. Safe to repeat and
   * to run in parallel; if it fails, it leaves no file.
   */
  async put(image: LogoImage): Promise<void> {
    await (this.#indexes ??= this.#createIndexes());
    const { matchedCount } = await this.#files.updateOne(
      { filename: image.hash },
      { $set: { 'metadata.putAt': this.now() } },
    );
    if (matchedCount === 0) await this.#upload(image);
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
   * Removes the logos that no company points at, and the chunks of uploads and removals that were never finished. Its memory
   * stays constant. Safe to run beside updates and beside itself.
   *
   * @param isUsed whether a company points at the logo with this hash; must see every write that was acknowledged
   * @param olderThanMs logos that were put more recently stay; choose it far longer than an update takes, say an hour
   * @param goOn asked before each logo and each upload whether to go on
   * @returns how many logos and unfinished uploads were removed
   */
  async removeOrphans(
    isUsed: (hash: string) => Promise<boolean>,
    olderThanMs: number,
    goOn: () => Promise<boolean> = async () => true,
  ): Promise<number> {
    const before = new Date(this.now().getTime() - olderThanMs);
    const isOld = { 'metadata.putAt': { $lt: before } };
    let removed = 0;
    for await (const { _id, filename } of this.#files.find(isOld)) {
      if (!(await goOn())) return removed;
      if (await isUsed(filename)) continue;
      const { deletedCount } = await this.#files.deleteOne({ _id, ...isOld });
      // An update has put the logo again since we found it.
      if (deletedCount === 0) continue;
      await this.#chunks.deleteMany({ files_id: _id });
      removed++;
    }
    for await (const uploadId of this.#uploadsBefore(before)) {
      if (!(await goOn())) return removed;
      if (await this.#files.findOne({ _id: uploadId }, { projection: { _id: 1 } })) continue;
      await this.#chunks.deleteMany({ files_id: uploadId });
      removed++;
    }
    return removed;
  }

  /** Uploads the logo, unless a parallel upload of the same content is faster. */
  async #upload({ bytes, contentType, hash }: LogoImage): Promise<void> {
    const metadata: LogoFile['metadata'] = { contentType, putAt: this.now() };
    const upload = this.#bucket.openUploadStream(hash, { metadata });
    try {
      await pipeline(Readable.from(slices(bytes)), upload);
    } catch (error) {
      // No file refers to these chunks. If they cannot be deleted now, removeOrphans finds them later.
      await this.#chunks.deleteMany({ files_id: upload.id }).catch(() => undefined);
      if (!isDuplicateKey(error)) throw error;
    }
  }

  /** The ids of all uploads that began before the date and have chunks, finished or not. */
  async *#uploadsBefore(date: Date): AsyncGenerator<mongo.ObjectId> {
    const end = mongo.ObjectId.createFromTime(Math.max(0, Math.floor(date.getTime() / 1_000)));
    // The index alone answers this, in its own order: the chunks of one upload come one after the other.
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
}

/** GridFS stores a chunk before it asks for the next slice. */
function* slices(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += CHUNK_BYTES)
    yield bytes.subarray(start, start + CHUNK_BYTES);
}
