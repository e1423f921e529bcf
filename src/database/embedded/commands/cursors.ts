import { calculateObjectSize, Long } from 'bson';
import { type BsonDocument } from '../values/document.js';
import { StoreError } from '../values/store-error.js';

/** How long a cursor lives without being asked for more, in milliseconds. MongoDB's own default. */
const IDLE_LIFETIME_MS = 10 * 60_000;
/** How many cursors may be open; beyond, the one idle for longest is closed. */
const MAX_CURSORS = 1_000;
/** How many documents a first batch has when the client does not say. MongoDB's own default. */
const FIRST_BATCH_DOCUMENTS = 101;
/** What the documents of one batch may weigh. */
const MAX_BATCH_BYTES = 16 * 1024 * 1024;
/** What a place in the batch's array weighs besides its document, at most. */
const ELEMENT_BYTES = 10;

interface OpenCursor {
  namespace: string;
  documents: readonly BsonDocument[];
  /** How many of them the client has. */
  position: number;
  usedAt: number;
}

/** Results that are handed out in batches. */
export class Cursors {
  /** In the order of their last use. */
  readonly #open = new Map<number, OpenCursor>();
  #nextId = 1;

  /** The first batch of a result. The rest is kept if there is any, unless `isSingle` says to drop it. */
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

  /** @throws StoreError CursorNotFound when it is finished, was closed, or was idle for too long */
  next(id: number, namespace: string, batchSize = Infinity): BsonDocument {
    this.closeIdle();
    const cursor = this.#open.get(id);
    if (cursor?.namespace !== namespace) throw new StoreError('CursorNotFound', `cursor id ${id} not found`);
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

  /** @returns the id under which it is kept; 0 when it is finished, as MongoDB says it */
  #keep(id: number, cursor: OpenCursor): number {
    if (cursor.position >= cursor.documents.length) return 0;
    const [idlest = 0] = this.#open.keys();
    if (this.#open.size >= MAX_CURSORS) this.#open.delete(idlest);
    this.#open.set(id, { ...cursor, usedAt: Date.now() });
    return id;
  }
}

/** Takes documents up to both limits, but at least one if the count allows it. */
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
