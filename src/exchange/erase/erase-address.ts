import { type Document } from 'mongodb';
import { type Collection } from 'mongoose';
import { quotaCollection } from '../../quotas/quota-indexes.js';
import { revocationCollection } from '../../tokens/revocations.js';
import { longestName } from '../../company/company-fields.rules.js';
import { nameKey } from '../../text/name-key.rules.js';
import { collectionOf } from '../../database/collection-of.js';
import { eachOf } from '../../database/in-pages.js';
import { type Lease } from '../../change/records-lease.js';
import { type Models } from '../../models.js';
import { isDatabaseAway, isDuplicateKey } from '../../database/database-errors.js';
import { messageWithCauses } from '../../errors/messages.js';
import { type Origin, type Versioned } from '../../history/history-entry.js';
import { type FieldChange } from '../../fields/fields.rules.js';
import { retryLostRace } from '../../database/retry-lost-race.js';
import { VersionedRecords, withoutHistory } from '../../history/versioned-records.js';
import { isMark, type Redaction } from './redact.rules.js';

interface Erasure {
  /** Changed documents, by collection. */
  counts: Record<string, number>;
  /** One sentence for each document that still contains the address. */
  left: string[];
}

/** A pass can miss an entry that moves from its record to the history during the pass. */
const mostPasses = 5;

interface ErasableRecord extends Versioned, Document {
  nameKey?: string;
}

/** Companies or jobs. */
interface Records {
  collection: Collection<ErasableRecord>;
  versioned: VersionedRecords<ErasableRecord>;
}

/**
 * Erases an address from every collection that can hold texts of callers or operators: removes it from lists, and replaces it by a mark in
 * texts and in the history. A changed company or job gets a new version, whose history entry does not contain the address. If a document
 * fails, processes the rest.
 * @throws Error if the database is away; LeaseLostError
 */
export async function eraseAddress(
  models: Models,
  redaction: Redaction,
  { origin, lease }: { origin: Origin; lease: Lease },
): Promise<Erasure> {
  const { db } = models.media;
  const counts: Erasure['counts'] = {};
  const history = collectionOf(models.history);
  const versioned = new Map([
    [models.jobs.collection.name, new VersionedRecords<ErasableRecord>('job', models.jobs, history)],
    [
      models.companies.collection.name,
      new VersionedRecords<ErasableRecord>('company', models.companies, history),
    ],
  ]);
  const known = Object.values(models).map((model) => model.collection.name);
  // Records come first, because their entries move to the history.
  const ordered = [
    ...versioned.keys(),
    ...known.filter((name) => !versioned.has(name)),
    quotaCollection,
    revocationCollection,
  ];
  for (let pass = 1; ; pass += 1) {
    let found = 0;
    const left: string[] = [];
    for (const name of ordered) {
      const collection = db.collection<ErasableRecord>(name);
      for await (const document of eachOf<ErasableRecord>({ collection })) {
        if (!redaction.isIn(document)) continue;
        const place = `${name} ${String(document._id)}`;
        if (name === revocationCollection) {
          left.push(
            `${place}: the caller would be let in again; if it may be, use npm run revoke -- --undo.`,
          );
          continue;
        }
        if (redaction.redact(document) === document) {
          left.push(`${place}: a public id contains the address, and public ids never change.`);
          continue;
        }
        await lease.renew();
        try {
          const records = versioned.get(name);
          if (!records) await eraseInDocument(collection, document, redaction, known.includes(name));
          else if (!(await eraseInRecord({ collection, versioned: records }, document, redaction, origin)))
            continue;
          found += 1;
          counts[name] = (counts[name] ?? 0) + 1;
        } catch (error) {
          if (isDatabaseAway(error)) throw error;
          left.push(`${place}: ${messageWithCauses(error)}`);
        }
      }
    }
    if (pass === mostPasses && found > 0)
      left.push('Something keeps writing the address: stop it, then run the command again.');
    if (pass === mostPasses || found === 0) return { counts, left };
  }
}

/** Deletes a quota bucket, and a document whose id contains the address. */
async function eraseInDocument(
  collection: Collection<ErasableRecord>,
  document: ErasableRecord,
  { redact }: Redaction,
  isOurs: boolean,
): Promise<void> {
  const { _id, ...held } = document;
  const isOfAddress = redact(_id) !== _id;
  // A sharded database finds an entry of the history by its record, and a bucket by its key.
  const keys = ['record', 'key'].filter((name) => name in held);
  const one = { _id, ...Object.fromEntries(keys.map((name) => [name, held[name] as unknown])) };
  if (isOurs && !isOfAddress) await collection.updateOne(one, { $set: changedIn(held, redact(held)) });
  else await collection.deleteOne(one);
}

async function eraseInRecord(records: Records, found: ErasableRecord, redaction: Redaction, origin: Origin) {
  const erase = (suffix = '') =>
    retryLostRace(() => tryInRecord(records, found, { redaction, origin, suffix }));
  try {
    return await erase();
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    // Another company has this name, perhaps because the address was erased from its name too.
    return erase(` ${found._id.toHexString()}`);
  }
}

/** @returns whether the record contained the address; null after a lost race */
async function tryInRecord(
  { collection, versioned }: Records,
  found: ErasableRecord,
  { redaction: { redact }, origin, suffix }: { redaction: Redaction; origin: Origin; suffix: string },
): Promise<boolean | null> {
  // Move pending entries to the history, where a later step erases the address. Another process that stalls while it moves the same
  // entries will find them in the history, and not write the address back.
  await versioned.movePending(found);
  const record = await collection.findOne({ publicId: found.publicId }, { projection: withoutHistory });
  if (!record) return false;
  const { nameKey: keyBefore, ...held } = record;
  const marked: Document = redact(held);
  if (marked === held) return false;
  const values: Document = Object.fromEntries(
    Object.entries(changedIn(held, marked)).map(([key, value]) => [key, withoutMarks(value)]),
  );
  const isRenamed = keyBefore !== undefined && values.name !== undefined;
  if (isRenamed) {
    const kept = [...String(values.name)].slice(0, longestName - suffix.length);
    values.name = kept.join('') + suffix;
  }
  const changes: FieldChange[] = Object.entries(values).map(([field, after]) => ({
    field,
    before: marked[field] as unknown,
    after: after as unknown,
  }));
  const derived = isRenamed ? { nameKey: nameKey(String(values.name)) } : {};
  const written = await versioned.write(record, [{ at: new Date(), origin, changes, derived }]);
  return written ? true : null;
}

const changedIn = (before: Document, after: Document): Document =>
  Object.fromEntries(Object.entries(after).filter(([key, value]) => value !== before[key]));

const withoutMarks = (value: unknown): unknown =>
  Array.isArray(value) ? value.filter((element) => !isMark(element)) : value;
