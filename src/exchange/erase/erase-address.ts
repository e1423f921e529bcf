import { type Collection, type Document, type ObjectId } from 'mongodb';
import { quotaCollection } from '../../access/quotas.js';
import { type Models } from '../../database/models.js';
import { type FieldChange, type HistoryEntry, type Origin } from '../../history/history-entry.js';
import { retryLostRace } from '../../history/update-control.js';
import { erased, type Redaction } from './redact.rules.js';

/** How many documents were changed, by collection. */
type ErasureCounts = Record<string, number>;

/** One pass may miss an entry that moves from its record to the history meanwhile. */
const mostPasses = 5;

interface Carrying extends Document {
  _id: ObjectId;
  version: number;
  pendingHistory?: HistoryEntry[];
}

/**
 * Takes an address out of every collection that may hold what callers or operators wrote (Contract 12.5). Lists lose it;
 * texts and history get a mark in its place. A company or job that held it gets a new version, with an entry that does not
 * show the address.
 * @throws Error if others keep writing the address again
 */
export async function eraseAddress(
  models: Models,
  redaction: Redaction,
  origin: Origin,
): Promise<ErasureCounts> {
  const { db } = models.media;
  const counts: ErasureCounts = {};
  const versioned = [models.jobs.collection.name, models.companies.collection.name];
  const known = Object.values(models).map((model) => model.collection.name);
  // Records come before the history, since entries move from records to the history.
  const ordered = [...versioned, ...known.filter((name) => !versioned.includes(name)), quotaCollection];
  for (let pass = 1; pass <= mostPasses; pass += 1) {
    let found = 0;
    for (const name of ordered) {
      const collection = db.collection<Carrying>(name) as unknown as Collection<Carrying>;
      for await (const document of collection.find()) {
        if (!redaction.isIn(document)) continue;
        const isChanged = versioned.includes(name)
          ? await eraseInRecord(collection, document._id, redaction, origin)
          : await eraseInDocument(collection, document, redaction, known.includes(name));
        if (!isChanged) continue;
        found += 1;
        counts[name] = (counts[name] ?? 0) + 1;
      }
    }
    if (found === 0) return counts;
  }
  throw new Error(
    'The address is brought in again all the time: stop what writes it, and run the command again.',
  );
}

/** Removes quota buckets, and documents whose id holds the address. Other documents only lose the address. */
async function eraseInDocument(
  collection: Collection<Carrying>,
  document: Carrying,
  { redact }: Redaction,
  isOurs: boolean,
): Promise<boolean> {
  const { _id, ...held } = document;
  const after = redact(held);
  if (after === held && redact(_id) === _id) return false;
  if (isOurs && redact(_id) === _id) await collection.updateOne({ _id }, { $set: after });
  else await collection.deleteOne({ _id });
  return true;
}

async function eraseInRecord(
  collection: Collection<Carrying>,
  id: ObjectId,
  { redact }: Redaction,
  origin: Origin,
): Promise<boolean> {
  return retryLostRace(async () => {
    const record = await collection.findOne({ _id: id });
    if (!record) return false;
    const { _id, version, pendingHistory = [], ...held } = record;
    const marked = redact(held);
    const pending = redact(pendingHistory);
    if (marked === held && pending === pendingHistory) return false;
    const values = Object.fromEntries(
      Object.entries(marked).flatMap(([key, value]) =>
        value === held[key] ? [] : [[key, withoutMarks(value)]],
      ),
    );
    const changes: FieldChange[] = Object.entries(values).map(([field, after]) => ({
      field,
      before: marked[field] as unknown,
      after,
    }));
    const entry: HistoryEntry = { version: version + 1, at: new Date(), ...origin, changes };
    const { matchedCount } = await collection.updateOne(
      {
        _id,
        version,
        // The record must still hold the same entries: some may have moved since we read it.
        [`pendingHistory.${pendingHistory.length}`]: { $exists: false },
        ...(pendingHistory.length > 0 && {
          [`pendingHistory.${pendingHistory.length - 1}`]: { $exists: true },
        }),
      },
      { $set: { ...values, version: version + 1, pendingHistory: [...pending, entry] } },
    );
    return matchedCount > 0 ? true : null;
  });
}

/** Lists lose the elements that were taken out. */
const withoutMarks = (value: unknown): unknown =>
  Array.isArray(value) ? value.filter((element) => element !== erased) : value;
