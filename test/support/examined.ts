import { type Document } from 'mongodb';

interface Examined {
  keys: number;
  documents: number;
  /** The fields of each index that a hint names. */
  indexes: string[][];
}

interface Part {
  totalKeysExamined?: number;
  totalDocsExamined?: number;
  keyPattern?: Record<string, number>;
}

/** Every part of an explanation, except of plans that were not run. */
const partsOf = (part: unknown): Part[] =>
  typeof part !== 'object' || part === null
    ? []
    : [
        part,
        ...Object.entries(part).flatMap(([name, below]) => (name === 'rejectedPlans' ? [] : partsOf(below))),
      ];

const ofTheConnection = ['lsid', '$db', '$clusterTime'];

/** Counts the keys and records that MongoDB examines for these commands. Leaves out commands that the server can't explain: other servers explain none. */
export async function examinedBy(
  database: { command(command: Document): Promise<unknown> },
  commands: readonly Document[],
): Promise<Examined[]> {
  const explained = commands.map(async (command): Promise<Examined[]> => {
    const own = Object.entries(command).filter(([name]) => !ofTheConnection.includes(name));
    const explain = { explain: Object.fromEntries(own), verbosity: 'executionStats' };
    const parts = partsOf(await database.command(explain).catch(() => null));
    // The query, and each join.
    const totals = parts.filter(({ totalKeysExamined }) => totalKeysExamined !== undefined);
    if (totals.length === 0) return [];
    const sumOf = (name: keyof Part) => totals.reduce((sum, each) => sum + Number(each[name]), 0);
    const indexes = command.hint
      ? parts.flatMap(({ keyPattern }) => (keyPattern ? [Object.keys(keyPattern)] : []))
      : [];
    return [{ keys: sumOf('totalKeysExamined'), documents: sumOf('totalDocsExamined'), indexes }];
  });
  return (await Promise.all(explained)).flat();
}
