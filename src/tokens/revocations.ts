import { type Collection, type Db } from 'mongodb';

/** `token`: one token. `subject`: the tokens that a subject has been issued so far. `block`: later ones, too. */
export type RevocationKind = 'token' | 'subject' | 'block';

/** The token or subject that a revocation cuts off. */
export interface Target {
  kind: RevocationKind;
  /** The token's `jti`, or a subject with the prefix of its provider. */
  value: string;
  /** The token's issuer; null for a subject. */
  issuer: string | null;
}

export interface Revocation extends Target {
  /** When the command ran. */
  at: Date;
  /** Null: until it is undone. */
  until: Date | null;
}

/** The claims of a verified token that the check reads. */
export interface IssuedToken {
  issuer: string;
  subject: string;
  tokenId: string | undefined;
  /** In seconds. */
  issuedAt: number | undefined;
}

type Stored = Revocation & { _id: string };

export const revocationCollection = 'revocations';
const mostRevocations = 10_000;
// With the 15 s of the token cache and the time of a read, a caller is cut off within 30 s.
const everyMs = 10_000;
const longestReadMs = 5_000;
const skewSeconds = 30;

const keyOf = ({ kind, value, issuer }: Target): string => JSON.stringify([kind, issuer, value]);

const collectionIn = (db: Db): Collection<Stored> => db.collection<Stored>(revocationCollection);

/** Whether the list cuts off a token. */
export function isRevoked(
  entries: ReadonlyMap<string, Pick<Revocation, 'at' | 'until'>>,
  { issuer, subject, tokenId, issuedAt = -Infinity }: IssuedToken,
  now: Date,
): boolean {
  if (entries.size === 0) return false;
  const find = (kind: RevocationKind, value: string, ofIssuer: string | null = null) => {
    const entry = entries.get(keyOf({ kind, value, issuer: ofIssuer }));
    return entry && (entry.until === null || now < entry.until) ? entry : undefined;
  };
  if (find('block', subject) ?? (tokenId !== undefined && find('token', tokenId, issuer))) return true;
  const soFar = find('subject', subject);
  return soFar !== undefined && issuedAt <= soFar.at.getTime() / 1_000 + skewSeconds;
}

/**
 * Reads the list at once, then every 10 s, and keeps the last one while the database is away.
 * @param onFailure called when reads begin to fail
 * @throws Error of the database, if it cannot be read at once
 */
export async function watchRevocations(db: Db, onFailure: (error: unknown) => void) {
  let entries: ReadonlyMap<string, Stored> = new Map();
  let reading: Promise<void> | null = null;
  let isFailing = false;
  const read = async () => {
    // In batches, so that a long list does not block the process.
    const found = collectionIn(db).find({}, { maxTimeMS: longestReadMs, batchSize: 1_000 });
    const next = new Map<string, Stored>();
    for await (const entry of found) next.set(entry._id, entry);
    entries = next;
  };
  const readAgain = () => {
    reading ??= read()
      .then(
        () => (isFailing = false),
        (error: unknown) => {
          if (!isFailing) onFailure(error);
          isFailing = true;
        },
      )
      .then(() => void (reading = null));
  };
  await read();
  const timer = setInterval(readAgain, everyMs).unref();
  return {
    isRevoked: (token: IssuedToken, now: Date): boolean => isRevoked(entries, token, now),
    stop: () => clearInterval(timer),
  };
}

/**
 * Adds a revocation, or replaces the one of the same target. Removes those that have ended.
 * @throws Error if the list is full
 */
export async function revoke(
  db: Db,
  target: Target,
  { at, until }: Pick<Revocation, 'at' | 'until'>,
): Promise<void> {
  const revocations = collectionIn(db);
  const _id = keyOf(target);
  await revocations.deleteMany({ until: { $lte: at } });
  if ((await revocations.countDocuments({ _id: { $ne: _id } })) >= mostRevocations)
    throw new Error(
      `The list is full, with ${mostRevocations} revocations: undo some that are no longer needed`,
    );
  await revocations.replaceOne({ _id }, { ...target, at, until }, { upsert: true });
}

/** @returns false if there was no such revocation */
export async function undoRevocation(db: Db, target: Target): Promise<boolean> {
  const { deletedCount } = await collectionIn(db).deleteOne({ _id: keyOf(target) });
  return deletedCount > 0;
}

/** Those in force, the oldest first. */
export async function listRevocations(db: Db, now: Date): Promise<Revocation[]> {
  const all = await collectionIn(db).find().sort({ at: 1, _id: 1 }).toArray();
  return all.filter(({ until }) => until === null || now < until);
}
