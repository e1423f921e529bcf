import { mongo } from 'mongoose';
import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';

const { EJSON } = mongo.BSON;

/** A call with an idempotency key, and its first reply. */
export interface DumpedCall {
  kind: 'job' | 'company';
  publicId: string;
  media: string;
  key: string;
  isRest: boolean;
  body: Record<string, unknown>;
  reply: Record<string, unknown>;
  /** The process died before it stored the reply. */
  isUnanswered?: true;
}

export interface DumpedChange {
  kind: string;
  public_id: string;
  version: number;
  state: string;
}

interface Heading {
  dumpedAt: Date;
  calls: DumpedCall[];
  /** What followers of each media got after their cursors. */
  followed: Record<string, { after: string; changes: DumpedChange[] }>;
  /** The jobs that 1.0.0 wrote last. */
  former: string[];
}

/** Version 1.2.0 wrote both files, driven by `test/upgrade/write-dump.mjs` of commit 4437543d. */
const textOf = async (name: string) =>
  gunzipSync(await readFile(new URL(name, import.meta.url))).toString('utf8');
const [dump, exported] = await Promise.all([textOf('dump.jsonl.gz'), textOf('export.jsonl.gz')]);
const { dumpedAt } = EJSON.parse(dump.slice(0, dump.indexOf('\n'))) as Heading;

const dayMs = 86_400_000;
const instant = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

/** Moves every instant of a text, so that the dump was written today: cursors and keys are valid for a limited time. */
const moved = (text: string, byMs: number): string =>
  text.replace(instant, (at) => new Date(Date.parse(at) + byMs).toISOString());

/** A cursor has the day on which it was given, and an instant. */
const movedCursor = (cursor: string, byMs: number): string => {
  const [media, lifetimeMs, day, atMs, ...rest] = JSON.parse(
    Buffer.from(cursor, 'base64url').toString('utf8'),
  ) as [string, number, number, number | null, string, string];
  const values = [media, lifetimeMs, day + Math.round(byMs / dayMs), atMs && atMs + byMs, ...rest];
  return Buffer.from(JSON.stringify(values), 'utf8').toString('base64url');
};

/** Writes the database of 1.2.0, as if it had been written now. */
export async function loadDump(db: mongo.Db): Promise<Heading & { exported: Record<string, unknown>[] }> {
  const byMs = Date.now() - dumpedAt.getTime();
  const [heading, ...lines] = moved(dump, byMs)
    .split('\n')
    .map((line) => EJSON.parse(line) as Record<string, unknown>);
  const collections = new Map<string, mongo.Document[]>();
  let documents: mongo.Document[] = [];
  for (const { collection, indexes, document } of lines) {
    if (document) documents.push(document);
    else {
      collections.set(collection as string, (documents = []));
      const [, ...others] = indexes as mongo.IndexDescription[];
      // The server that wrote the dump names the simple collation.
      for (const index of others) delete index.collation;
      if (others.length > 0) await db.collection(collection as string).createIndexes(others);
    }
  }
  for (const [name, records] of collections)
    if (records.length > 0) await db.collection(name).insertMany(records);
  const { followed, ...told } = heading as unknown as Heading;
  return {
    ...told,
    followed: Object.fromEntries(
      Object.entries(followed).map(([media, each]) => [
        media,
        { ...each, after: movedCursor(each.after, byMs) },
      ]),
    ),
    exported: moved(exported, byMs)
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>),
  };
}
