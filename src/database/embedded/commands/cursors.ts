import { calculateObjectSize, Long } from 'bson';
import { type BsonDocument } from '../values/document.js';
import { assert } from '../values/store-error.js';

/** MongoDB's default. */
const IDLE_LIFETIME_MS = 10 * 60_000;
const MAX_CURSORS = 1_000;
/** MongoDB's default. */
const FIRST_BATCH_DOCUMENTS = 101;
const MAX_BATCH_BYTES = 16 * 1024 * 1024;
/** The most bytes that BSON adds to a document in an array. */
const ELEMENT_BYTES = 10;

interface OpenCursor {
  namespace: string;
  documents: readonly BsonDocument[];
  position: number;
  usedAt: number;
}

export class Cursors {
  /** Least recently used first. */
  readonly #open = new Map<number, OpenCursor>();
  #nextId = 1;

  /** Returns the first batch. Keeps the remaining documents for `next`, or drops them if `isSingle`. */
  start(
    namespace: string,
    documents: readonly BsonDocument[],
    batchSize = FIRST_BATCH_DOCUMENTS,
    isSingle = false,
  ): BsonDocument {
    const cursor: OpenCursor = { namespace, documents, position: 0, usedAt: Date.now() };
    const firstBatch = takeBatch(cursor, batchSize);
    const id = isSingle ? 0 : this.#keep(this.#nextId++, cursor);
    return { firstBatch, id: Long.fromNumber(id), ns: namespace };
  }

  /** @throws StoreError CursorNotFound if the cursor was read to its end, closed, or idle for too long */
  next(id: number, namespace: string, batchSize = Infinity): BsonDocument {
    this.closeIdle();
    const cursor = this.#open.get(id);
    assert(cursor?.namespace === namespace, 'CursorNotFound', `cursor id ${id} not found`);
    this.#open.delete(id);
    const nextBatch = takeBatch(cursor, batchSize);
    return { nextBatch, id: Long.fromNumber(this.#keep(id, cursor)), ns: namespace };
  }

  close(id: number): void {
    this.#open.delete(id);
  }

  closeIdle(): void {
    const oldest = Date.now() - IDLE_LIFETIME_MS;
    for (const [id, { usedAt }] of this.#open) if (usedAt < oldest) this.#open.delete(id);
  }

  /** @returns the id, or 0 if no documents are left, as in MongoDB */
  #keep(id: number, cursor: OpenCursor): number {
    if (cursor.position >= cursor.documents.length) return 0;
    const [idlest = 0] = this.#open.keys();
    if (this.#open.size >= MAX_CURSORS) this.#open.delete(idlest);
    this.#open.set(id, { ...cursor, usedAt: Date.now() });
    return id;
  }
}

/** A document over the size limit gets a batch of its own. */
function takeBatch(cursor: OpenCursor, count: number): BsonDocument[] {
  const batch: BsonDocument[] = [];
  let bytes = 0;
  while (batch.length < count && cursor.position < cursor.documents.length) {
    const document = cursor.documents[cursor.position] ?? {};
    bytes += calculateObjectSize(document) + ELEMENT_BYTES;
    if (batch.length > 0 && bytes > MAX_BATCH_BYTES) break;
    batch.push(document);
    cursor.position++;
  }
  return batch;
}
