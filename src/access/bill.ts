import { type Bucket, type Operation, operationsByName } from '../operations.js';
import { type Window } from './shared-limiter.js';

/** One unit of the read quota for each started 1 000 of an operation's complexity (Contract 8.2.8). */
const complexityPerUnit = 1_000;

/** The cost of a root field, by its document and variables. */
interface RootField {
  name: string;
  complexity: number;
  /** The part of the complexity that the pages in the field's selection have. */
  pages: number;
  isDryRun: boolean;
}

/** Root fields by response key, in the order of the document. */
export type RootFields = ReadonlyMap<string, RootField>;

export type Units = Readonly<Partial<Record<Bucket, number>>>;

export interface Spent {
  bucket: Bucket;
  window: Window;
}

interface Presented {
  complexity: number;
  nestedLists: number;
  roots?: RootFields | undefined;
}

/** The units that the root fields of an operation cost (Contract 8.2.8). */
export class Bill {
  /** Null until the operation is known. */
  complexity: number | null = null;
  /** How many lists of records the operation can read within records. */
  nestedLists = 0;
  /** Whether the operation has updates, all of them dry runs. */
  isDryRun = false;
  /** Settles once the units of the root fields are spent; fails if a quota refuses them. */
  charge: Promise<readonly Spent[]> | undefined;
  /** The root fields that have neither reached the quota nor ended, by response key. */
  private readonly open = new Map<string, Units>();

  present({ complexity, nestedLists, roots }: Presented): void {
    this.complexity = complexity;
    this.nestedLists = nestedLists;
    let sum = 0;
    for (const [key, root] of roots ?? []) {
      const operation = operationsByName.get(root.name);
      // Introspection has no quota.
      if (!operation) continue;
      this.isDryRun = root.isDryRun && (this.isDryRun || this.open.size === 0);
      const counted = operation.kind === 'query' ? root.complexity : root.pages;
      const raised = Math.ceil((sum + counted) / complexityPerUnit) - Math.ceil(sum / complexityPerUnit);
      sum += counted;
      // A replayed mutation spends nothing else for its pages.
      const read = Math.max(operation.kind === 'mutation' && root.pages > 0 ? 1 : 0, raised);
      this.open.set(key, unitsOf(operation, root, read));
    }
  }

  /** The units of the open root fields. */
  due(): Units {
    return [...this.open.values()].reduce(plus, {});
  }

  /** Called when a field reaches the quota or ends. @returns its units, or undefined if it was taken before */
  take(field: string): Units | undefined {
    const units = this.open.get(field);
    this.open.delete(field);
    return units;
  }

  /** Called when a field replays its answer. @returns the units of what its payload reads; the others stay open, to be given back */
  takeRead(field: string): number {
    const { read = 0, ...own } = this.open.get(field) ?? {};
    this.open.set(field, own);
    return read;
  }
}

function unitsOf(operation: Operation, { isDryRun }: RootField, read: number): Units {
  const { kind, bucket, dryRunCost, leastUnits = 0 } = operation;
  if (kind === 'query') return { [bucket]: Math.max(leastUnits, read) };
  const own = (isDryRun && dryRunCost) || { bucket, units: 1 };
  return plus({ [own.bucket]: own.units }, { read });
}

const plus = (one: Units, other: Units): Units => {
  const sum: Partial<Record<Bucket, number>> = { ...one };
  for (const [bucket, units] of Object.entries(other) as [Bucket, number][])
    sum[bucket] = (sum[bucket] ?? 0) + units;
  return sum;
};
