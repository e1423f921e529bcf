import { Readable } from 'node:stream';
import { type Connection, mongo } from 'mongoose';
import { databaseOf } from '../../database/connect.js';
import { inOneReply } from '../../database/in-one-reply.js';
import { eachOf } from '../../database/in-pages.js';
import { insertAbsent } from '../../database/insert-absent.js';
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
  data: Buffer;
}

const BUCKET = 'logos';
const CHUNK_BYTES = 255 * 1024;

/**
 * Stores logos as GridFS lays them out, one file per content, named by its hash. Each file has an `_id` of its own. When a
 * removal breaks off, its remains can be deleted without touching the chunks of another.
 *
 * An update first puts the file, or renews its time if it is there, then adds the chunks that the file lacks, and then writes
 * the record. A file that lacks chunks counts as absent, and whoever puts it again makes it whole. So nothing is ever undone:
 * a write whose outcome is unknown may be made already, and a twin may rest on it.
 *
 * No logo that a company points at is ever removed. The removal takes only files that were put long ago, and the command that
 * deletes looks at that time once more. So if an update puts a file just before its removal, the file stays; if it comes just
 * after, it stores the file again.
 */
export class LogoStore {
  readonly #files: mongo.Collection<LogoFile>;
  readonly #chunks: mongo.Collection<LogoChunk>;
  #indexes: Promise<unknown> | undefined;

  /** @param now the clock, for the age of orphans */
  constructor(
    connection: Connection,
    private readonly now: () => Date,
  ) {
    const db = databaseOf(connection);
    this.#files = db.collection(`${BUCKET}.files`);
    this.#chunks = db.collection(`${BUCKET}.chunks`);
  }

  /**
   * Makes sure that the logo is there, and that it stays for longer than any update takes to point at it. Safe to repeat and
   * to run in parallel; if it fails, a later one goes on from there.
   */
  async put(image: LogoImage): Promise<void> {
    await (this.#indexes ??= this.#createIndexes());
    const file = await this.#renew(image).catch((error: unknown) => {
      if (!isDuplicateKey(error)) throw error;
      // A twin has made the file in between.
      return this.#renew(image);
    });
    for (const n of await this.#missing(file)) {
      const data = image.bytes.subarray(n * file.chunkSize, (n + 1) * file.chunkSize);
      // The chunks of a twin have the same bytes.
      await insertAbsent(this.#chunks, [{ files_id: file._id, n, data }]);
    }
  }

  /** The stored logo, or null if it is not there whole. `length` is in bytes. */
  async open(
    hash: string,
  ): Promise<{ contentType: LogoImage['contentType']; length: number; stream: Readable } | null> {
    const file = await this.#files.findOne({ filename: hash });
    if (!file || (await this.#missing(file)).length > 0) return null;
    const { contentType } = file.metadata;
    return { contentType, length: file.length, stream: Readable.from(this.#read(file)) };
  }

  /**
   * Removes the logos that no company points at, whole or not, and the chunks of removals that were never finished. Its memory
   * stays constant. Safe to run beside updates and beside itself.
   *
   * @param isUsed whether a company points at the logo with this hash; must see every write that was acknowledged
   * @param olderThanMs logos that were put more recently stay; choose it far longer than an update takes, say an hour
   * @param goOn asked before each logo and each file's chunks whether to go on
   * @returns how many logos and remains of removals were removed
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
      const { deletedCount } = await this.#files.deleteOne({ _id, ...isOld });
      // An update has put the logo again since we found it.
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

  /** The logo's file as of now, made if need be. */
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

  /** The numbers of the chunks that a file lacks. */
  async #missing({ _id, length, chunkSize }: LogoFile): Promise<number[]> {
    const stored = new Set<number>();
    const projection = { _id: 0, n: 1 };
    for await (const { n } of this.#chunks.find({ files_id: _id }, { projection, ...inOneReply }))
      stored.add(n);
    return Array.from({ length: Math.ceil(length / chunkSize) }, (_, n) => n).filter((n) => !stored.has(n));
  }

  async *#read({ _id, length }: LogoFile): AsyncGenerator<Buffer> {
    // A cursor would bring all of them in one reply, to be held until the slowest reader has taken them.
    for (let n = 0, left = length; left > 0; n += 1) {
      const chunk = await this.#chunks.findOne({ files_id: _id, n }, { promoteBuffers: true });
      // Whoever was told the length would wait for the rest.
      if (!chunk) throw new Error('The logo was removed while it was read.');
      left -= chunk.data.length;
      yield chunk.data;
    }
  }

  /** The ids of all files that were made before the date and have chunks, whether or not the file is still there. */
  async *#chunkedBefore(date: Date): AsyncGenerator<mongo.ObjectId> {
    const end = mongo.ObjectId.createFromTime(Math.max(0, Math.floor(date.getTime() / 1_000)));
    for (let after: object = {}; ;) {
      // The index alone answers this, and finds the next file whatever chunks come before it.
      const chunk = await this.#chunks.findOne(
        { files_id: { $lt: end, ...after } },
        { projection: { _id: 0, files_id: 1 }, sort: { files_id: 1, n: 1 } },
      );
      if (!chunk) return;
      yield chunk.files_id;
      after = { $gt: chunk.files_id };
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
