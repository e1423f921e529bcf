import { calculateObjectSize, Long } from 'bson';
import { type BsonDocument } from '../values/document.js';
import { assert } from '../values/store-error.js';

const MAX_CURSORS = 1_000;
/** MongoDB's default. */
const FIRST_BATCH_DOCUMENTS = 101;
const MAX_BATCH_BYTES = 16 * 1024 * 1024;
/** The most bytes that BSON adds to a document in an array. */
const ELEMENT_BYTES = 10;

interface OpenCursor {
  namespace: string;
  /** Not yet returned. */
  documents: readonly BsonDocument[];
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
    const firstBatch = takeBatch(documents, batchSize);
    const rest = isSingle ? [] : documents.slice(firstBatch.length);
    return { firstBatch, id: this.#keep(this.#nextId++, namespace, rest), ns: namespace };
  }

  /** @throws StoreError CursorNotFound if the cursor was read to its end or closed */
  next(id: number, namespace: string, batchSize = Infinity): BsonDocument {
    const cursor = this.#open.get(id);
    assert(cursor?.namespace === namespace, 'CursorNotFound', `cursor id ${id} not found`);
    this.#open.delete(id);
    const nextBatch = takeBatch(cursor.documents, batchSize);
    const rest = cursor.documents.slice(nextBatch.length);
    return { nextBatch, id: this.#keep(id, namespace, rest), ns: namespace };
  }

  close(id: number): void {
    this.#open.delete(id);
  }

  /** @returns the id, or 0 if no documents are left, as in MongoDB */
  #keep(id: number, namespace: string, documents: readonly BsonDocument[]): Long {
    if (documents.length === 0) return Long.ZERO;
    const [idlest = 0] = this.#open.keys();
    if (this.#open.size >= MAX_CURSORS) this.#open.delete(idlest);
    this.#open.set(id, { namespace, documents });
    return Long.fromNumber(id);
  }
}

/** A document over the size limit gets a batch of its own. */
function takeBatch(documents: readonly BsonDocument[], count: number): BsonDocument[] {
  const batch: BsonDocument[] = [];
  let bytes = 0;
  for (const document of documents.slice(0, count)) {
    bytes += calculateObjectSize(document) + ELEMENT_BYTES;
    if (batch.length > 0 && bytes > MAX_BATCH_BYTES) break;
    batch.push(document);
  }
  return batch;
}
