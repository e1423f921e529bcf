import { type Collection, type Types } from 'mongoose';
import { ReadableRecords } from '../database/readable-records.js';
import { allInOneBatch } from '../database/all-in-one-batch.js';
import {
  emptySnapshot,
  ReferenceSnapshot,
  type ReferenceNeed,
  type ReferenceReader,
  type ReferenceRecord,
} from '../fields/reference-snapshot.js';
import { referenceSchema } from './reference.record.js';

const readable = new ReadableRecords(referenceSchema);

const freshForMs = 1_000;

/** Caches all reference records for at most 1 s. */
export class ReferenceService implements ReferenceReader {
  /** As of the last load; empty before the first. */
  loaded = emptySnapshot;
  private readAtMs = -Infinity;
  private reading: Promise<ReferenceSnapshot> | undefined;
  /** Ids in stored records whose reference is gone, as 24 hex digits. */
  private readonly gone = new Set<string>();

  constructor(
    private readonly records: Collection<ReferenceRecord>,
    private readonly clock: () => Date,
  ) {}

  /** Loads all references again if the last load is over 1 s old or a needed id is missing. */
  async read(needs: readonly ReferenceNeed[] = []): Promise<ReferenceSnapshot> {
    const isEnough = () =>
      this.clock().getTime() - this.readAtMs < freshForMs &&
      needs.every(({ kind, id }) => this.loaded.find(kind, id));
    if (isEnough()) return this.loaded;
    // Check again: a load that is under way may have started before a needed reference was stored.
    await this.reading;
    if (isEnough()) return this.loaded;
    this.reading ??= this.load().finally(() => (this.reading = undefined));
    return this.reading;
  }

  /**
   * Like {@link read}, for ids in stored records. Looks for a removed reference only once: otherwise every read of a record that uses
   * the reference would load all references again.
   */
  async readStored(needs: readonly ReferenceNeed<Types.ObjectId>[]): Promise<ReferenceSnapshot> {
    const snapshot = await this.read();
    const missing = needs.filter(
      ({ kind, id }) => !snapshot.find(kind, id) && !this.gone.has(id.toHexString()),
    );
    if (missing.length === 0) return snapshot;
    const newer = await this.read(missing);
    for (const { kind, id } of missing) if (!newer.find(kind, id)) this.gone.add(id.toHexString());
    return newer;
  }

  private async load(): Promise<ReferenceSnapshot> {
    const startedAtMs = this.clock().getTime();
    const records = await this.records.find({}, allInOneBatch).toArray();
    this.loaded = new ReferenceSnapshot(records.filter((record) => readable.has(this.records, record)));
    this.readAtMs = startedAtMs;
    return this.loaded;
  }
}
