import { Readable } from 'node:stream';
import { type Connection, mongo } from 'mongoose';
import { allOf } from '../../paging/query.rules.js';
import { databaseOf } from '../../database/connect.js';
import { allInOneBatch } from '../../database/all-in-one-batch.js';
import { eachOf } from '../../database/in-pages.js';
import { insertAbsent } from '../../database/insert-records.js';
import { isDuplicateKey } from '../../database/database-errors.js';
import { type LogoImage } from './logo-image.js';

interface LogoFile extends mongo.GridFSFile {
  /** The hash of the content; unique. */
  filename: string;
  metadata: {
    contentType: LogoImage['contentType'];
    /** When an update last put the file. */
    putAt: Date;
  };
}

interface LogoChunk {
  files_id: mongo.ObjectId;
  n: number;
  data: Buffer;
}

const BUCKET = 'logos';
const CHUNK_BYTES = 255 * 1024;

/**
 * Stores logos in the GridFS layout, one file per content, named by its hash. Each stored file gets a new `_id`, so leftover chunks of an
 * interrupted removal can be deleted without touching a newer file's chunks.
 *
 * An update first creates the file or renews its `putAt`, then adds missing chunks, and last writes the company. A file with missing
 * chunks counts as absent; the next put completes it. A failed update leaves its file in place: its write may have succeeded after all,
 * and another update may rely on the file.
 *
 * A logo that a company points at is never removed. Removal considers only files put long ago, and the delete command checks `putAt`
 * again. A file that is put just before the delete stays. A put just after the delete stores the file again.
 */
export class LogoStore {
  readonly #files: mongo.Collection<LogoFile>;
  readonly #chunks: mongo.Collection<LogoChunk>;
  #indexes: Promise<unknown> | undefined;

  constructor(
    connection: Connection,
    private readonly now: () => Date,
  ) {
    const db = databaseOf(connection);
    this.#files = db.collection(`${BUCKET}.files`);
    this.#chunks = db.collection(`${BUCKET}.chunks`);
  }

  /** Stores the logo if needed, and protects it from removal for longer than an update takes. Safe to repeat and to run in parallel. */
  async put(image: LogoImage): Promise<void> {
    await (this.#indexes ??= this.#createIndexes().catch((error: unknown) => {
      this.#indexes = undefined;
      throw error;
    }));
    const file = await this.#renew(image).catch((error: unknown) => {
      if (!isDuplicateKey(error)) throw error;
      // A parallel put has just created the file.
      return this.#renew(image);
    });
    for (const n of await this.#missing(file)) {
      const data = image.bytes.subarray(n * file.chunkSize, (n + 1) * file.chunkSize);
      // A parallel put may have stored the same chunk.
      await insertAbsent(this.#chunks, [{ files_id: file._id, n, data }]);
    }
  }

  /** Null if the file or one of its chunks is missing. */
  async open(
    hash: string,
  ): Promise<{ contentType: LogoImage['contentType']; length: number; stream: Readable } | null> {
    const file = await this.#files.findOne({ filename: hash });
    if (!file || (await this.#missing(file)).length > 0) return null;
    const { contentType } = file.metadata;
    return { contentType, length: file.length, stream: Readable.from(this.#read(file)) };
  }

  /**
   * Removes logos that no company points at, complete or not, and leftover chunks of interrupted removals. Uses constant memory. Safe to
   * run alongside updates and other removals.
   *
   * @param isUsed whether a company points at the logo; must see every acknowledged write
   * @param olderThanMs far longer than an update takes, such as an hour
   * @param goOn called before each logo and each leftover; false stops the removal
   * @returns how many logos and leftovers were removed
   */
  async removeOrphans(
    isUsed: (hash: string) => Promise<boolean>,
    olderThanMs: number,
    goOn: () => Promise<boolean> = async () => true,
  ): Promise<number> {
    const before = new Date(this.now().getTime() - olderThanMs);
    const isOld = { 'metadata.putAt': { $lt: before } };
    let removed = 0;
    const old = { filter: isOld, projection: { filename: 1 } };
    for await (const { _id, filename } of eachOf<LogoFile>({ collection: this.#files }, old)) {
      if (!(await goOn())) return removed;
      if (await isUsed(filename)) continue;
      const { deletedCount } = await this.#files.deleteOne(allOf({ _id }, isOld));
      // An update put the logo again after we found it.
      if (deletedCount === 0) continue;
      await this.#chunks.deleteMany({ files_id: _id });
      removed++;
    }
    for await (const fileId of this.#chunkedBefore(before)) {
      if (!(await goOn())) return removed;
      if (await this.#files.findOne({ _id: fileId }, { projection: { _id: 1 } })) continue;
      await this.#chunks.deleteMany({ files_id: fileId });
      removed++;
    }
    return removed;
  }

  #renew({ bytes, contentType, hash }: LogoImage): Promise<LogoFile> {
    return this.#files.findOneAndUpdate(
      { filename: hash },
      {
        $set: { 'metadata.putAt': this.now() },
        $setOnInsert: {
          length: bytes.length,
          chunkSize: CHUNK_BYTES,
          uploadDate: this.now(),
          'metadata.contentType': contentType,
        },
      },
      { upsert: true, returnDocument: 'after' },
    ) as Promise<LogoFile>;
  }

  async #missing({ _id, length, chunkSize }: LogoFile): Promise<number[]> {
    const stored = new Set<number>();
    const found = this.#chunks.find({ files_id: _id }, { projection: { _id: 0, n: 1 }, ...allInOneBatch });
    for await (const { n } of found) stored.add(n);
    return Array.from({ length: Math.ceil(length / chunkSize) }, (_, n) => n).filter((n) => !stored.has(n));
  }

  async *#read({ _id, length }: LogoFile): AsyncGenerator<Buffer> {
    // A cursor would fetch all chunks at once, and keep them in memory while a slow client reads.
    for (let n = 0, left = length; left > 0; n += 1) {
      const chunk = await this.#chunks.findOne({ files_id: _id, n }, { promoteBuffers: true });
      // Fail, so that the client stops waiting for the announced length.
      if (!chunk) throw new Error('The logo was removed while it was being read.');
      left -= chunk.data.length;
      yield chunk.data;
    }
  }

  /** The ids of files created before the date that still have chunks, even if the file itself is gone. */
  async *#chunkedBefore(date: Date): AsyncGenerator<mongo.ObjectId> {
    const end = mongo.ObjectId.createFromTime(Math.max(0, Math.floor(date.getTime() / 1_000)));
    for (let after = {}; ;) {
      // Reads only the index: jumps to the next file, however many chunks the current file has.
      const chunk = await this.#chunks.findOne(allOf(after, { files_id: { $lt: end } }), {
        projection: { _id: 0, files_id: 1 },
        sort: { files_id: 1, n: 1 },
      });
      if (!chunk) return;
      yield chunk.files_id;
      after = { files_id: { $gt: chunk.files_id } };
    }
  }

  async #createIndexes(): Promise<void> {
    await this.#files.createIndex({ filename: 1 }, { unique: true });
    await this.#chunks.createIndex({ files_id: 1, n: 1 }, { unique: true });
  }
}
