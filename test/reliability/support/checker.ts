/** The field that each operation writes. */
const fieldOf = { updateJob: 'salary', updateCompany: 'description', createJob: 'name' } as const;

/** A call that a client sent. */
export interface Sent {
  operation: keyof typeof fieldOf;
  /** The field's new value. Only repetitions of a call have the same value. */
  value: string;
  key?: string;
}

export interface Outcome {
  sent: Sent;
  startedAt: number;
  endedAt: number;
  end:
    | { kind: 'told'; version: number; value: string; isReplayed: boolean }
    | { kind: 'refused'; code: string }
    | { kind: 'unknown' };
}

type Stored = Record<string, unknown>;

export interface Entry {
  record: string;
  version: number;
  actor: string;
  requestId: string;
  changes: { field: string; before: unknown; after: unknown }[];
}

/** The most history entries that a record may carry, even if moving them fails. */
const mostPending = 64;

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Describes each broken rule of the contract, and knows nothing of the code's internals. */
export function faultsOf({
  outcomes,
  repeated,
  records,
  history,
  from = 1,
}: {
  outcomes: readonly Outcome[];
  /** The calls that were sent again. */
  repeated: readonly Outcome[];
  records: readonly Stored[];
  history: readonly Stored[];
  /** The version of the records that has no entry, nor has any before. */
  from?: number;
}): string[] {
  const faults: string[] = [];
  const entries = records.flatMap((record) => {
    const own = chainOf(record, history);
    faults.push(...faultsOfChain(record, own, from));
    return own;
  });
  const madeBy = (sent: Sent) =>
    entries.filter(({ changes }) =>
      changes.some(({ field, after }) => field === fieldOf[sent.operation] && after === sent.value),
    );
  for (const { sent } of outcomes) {
    const { value, key } = sent;
    const sends = [...outcomes, ...repeated].filter((each) => each.sent.value === value);
    const times = madeBy(sent).length;
    const told = sends.flatMap(({ end }) => (end.kind === 'told' ? [end] : []));
    if (key && times > 1) faults.push(`${value} was made ${times} times under one key`);
    if (told.length > 0 && times === 0) faults.push(`${value} was acknowledged, and lost`);
    if (told.length > 0 && (key || sends.length === 1) && times !== 1)
      faults.push(`${value} was acknowledged, and made ${times} times`);
    if (sends.every(({ end }) => end.kind === 'refused') && times > 0)
      faults.push(`${value} was refused, and made`);
    if (key && told.filter(({ isReplayed }) => !isReplayed).length > 1)
      faults.push(`${value} was answered as run more than once under one key`);
    const answers = new Set(told.map((each) => `${each.version} ${each.value}`));
    if (key && answers.size > 1) faults.push(`${value} was answered ${[...answers].join(' and ')}`);
  }
  const changed = outcomes.flatMap((outcome) => {
    const isRun = outcome.end.kind === 'told' && !outcome.end.isReplayed;
    return isRun ? madeBy(outcome.sent).map((entry) => ({ ...outcome, entry })) : [];
  });
  for (const one of changed)
    for (const other of changed)
      if (
        one.entry.record === other.entry.record &&
        one.endedAt < other.startedAt &&
        one.entry.version >= other.entry.version
      )
        faults.push(`${one.sent.value} was answered before ${other.sent.value} began, and is not older`);
  for (const { sent, end } of repeated)
    if (sent.key && end.kind !== 'told') faults.push(`${sent.value} sent again under its key is ${end.kind}`);
  return faults;
}

/** Each version has one entry, and each change begins where the last one of its field ended. */
function faultsOfChain(record: Stored, own: readonly Entry[], from: number): string[] {
  const faults: string[] = [];
  const name = String(record.publicId);
  const carried = (record.pendingHistory as Entry[]).length;
  if (carried > mostPending) faults.push(`${name} carries ${carried} entries`);
  const versions = own.map(({ version }) => version).join();
  // A created job has an entry of its first version.
  const first = own[0]?.version === 1 ? 1 : from + 1;
  const expected = Array.from(
    { length: Number(record.version) - first + 1 },
    (_, index) => first + index,
  ).join();
  if (versions !== expected) faults.push(`${name} has entries of ${versions}, versions are ${expected}`);
  const last = new Map<string, unknown>();
  for (const { field, before, after } of own.flatMap(({ changes }) => changes)) {
    if (last.has(field) && !isSame(last.get(field), before))
      faults.push(`${field} forks at ${String(before)}`);
    last.set(field, after);
  }
  for (const [field, value] of last)
    if (!isSame(record[field], value))
      faults.push(`${field} is ${String(record[field])}, history says ${String(value)}`);
  return faults;
}

/** A record's entries, oldest first. An entry that is being moved is in the record and in the history, but counts once. */
export function chainOf(record: Stored, history: readonly Stored[]): Entry[] {
  const id = String(record._id);
  const moved = history.filter((entry) => String(entry.record) === id) as unknown as Entry[];
  const all = [...(record.pendingHistory as Entry[]), ...moved];
  return [...new Map(all.map((entry) => [entry.version, { ...entry, record: id }])).values()].sort(
    (one, other) => one.version - other.version,
  );
}
