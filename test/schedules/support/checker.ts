import { homeMedia, newJobId, quota, type Sent } from './sent.js';
import { type Aftermath } from './aftermath.js';

interface Entry {
  record: string;
  version: number;
  actor: string;
  changes: { field: string; before: unknown; after: unknown }[];
}

/** The most history entries that a record may carry, even if moving them fails. */
const mostPending = 64;

const none: ReadonlySet<string> = new Set();

/** Describes each broken rule of the contract, and knows nothing of the code's internals. */
export function faultsOf(aftermath: Aftermath): string[] {
  const { outcomes, repeated } = aftermath;
  const faults: string[] = [];
  const fault = (text: string) => faults.push(text);
  const entries: Entry[] = [];
  for (const record of [...aftermath.jobs, ...aftermath.companies]) {
    const isNew = record.publicId === newJobId;
    const firstVersion = isNew ? 1 : aftermath.firstVersion;
    const own = chainOf(record, aftermath.history);
    entries.push(...(isNew ? [beginningOf(record, own)] : []), ...own);
    const version = record.version as number;
    const pending = (record.pendingHistory as Entry[]).length;
    if (pending > mostPending) fault(`${String(record.publicId)} carries ${pending} entries`);
    const versions = own.map((entry) => entry.version);
    const expected = Array.from({ length: version - firstVersion }, (_, index) => firstVersion + 1 + index);
    if (versions.join() !== expected.join())
      fault(`history has ${versions.join()}, versions are ${expected.join()}`);
    const last = new Map<string, unknown>();
    for (const { changes } of own)
      for (const { field, before, after } of changes) {
        if (last.has(field) && !isSame(last.get(field), before)) fault(`${field} forks at ${String(before)}`);
        last.set(field, after);
      }
    for (const [field, value] of last)
      if (!isSame(record[field], value))
        fault(`${field} is ${String(record[field])}, history says ${String(value)}`);
  }

  const ids = aftermath.jobs.map(({ publicId }) => publicId);
  if (new Set(ids).size < ids.length) fault(`two of the jobs ${ids.join()} are one`);

  const values = new Set<unknown>([...outcomes, ...repeated].map(({ sent }) => sent.value));
  for (const { field, after } of entries.flatMap(({ changes }) => changes))
    if ((field === 'salary' || field === 'description') && !values.has(after))
      fault(`nobody has sent ${String(after)}`);

  const madeBy = ({ operation, value }: Sent) =>
    entries.filter(({ changes }) =>
      changes.some(({ field, after }) => field === fieldOf(operation) && after === value),
    );
  const all = [...outcomes, ...repeated];
  for (const one of outcomes.map(({ sent }) => sent).filter(({ operation }) => isChange(operation))) {
    const { value } = one;
    const sends = all.filter(({ sent }) => sent.value === value && sent.operation === one.operation);
    const made = madeBy(one);
    const told = sends.flatMap(({ end }) => (end.kind === 'told' ? [end.told] : []));
    if (sends.some(({ sent }) => sent.key) && made.length > 1)
      fault(`${value} was made ${made.length} times under one key`);
    const mayRepeat = sends.length > 1 && sends.every(({ sent }) => !sent.key);
    if (!mayRepeat && told.length > 0 && made.length !== 1)
      fault(`${value} was acknowledged, and made ${made.length} times`);
    if (mayRepeat && told.length > 0 && made.length === 0) fault(`${value} was acknowledged, and lost`);
    if (told.length === 0 && sends.every(({ end }) => end.kind === 'refused') && made.length > 0)
      fault(`${value} was refused, and made`);
    for (const { end, sent } of sends)
      if (end.kind === 'told' && !end.told.isReplayed && sent.expectedVersion !== undefined) {
        const [entry] = made;
        // Before the update, the gateway archives an expired job under a version of its own.
        const settled = entries.find(
          ({ actor, version }) => actor === 'system' && version + 1 === entry?.version,
        );
        const from = (settled ?? entry)?.version;
        if (entry && from !== sent.expectedVersion + 1)
          fault(`${value} expected ${sent.expectedVersion}, and made ${entry.version}`);
      }
    const runs = told.filter(({ isReplayed }) => !isReplayed).length;
    if (one.key && runs > 1) fault(`${value} was answered as run ${runs} times under one key`);
    const replayed = sends.filter(({ sent, end }) => sent.key && end.kind === 'told');
    const answers = new Set(
      replayed.map(({ end }) =>
        end.kind === 'told' ? `${String(end.told.version)} ${String(end.told.value)}` : '',
      ),
    );
    if (answers.size > 1) fault(`${value} was answered ${[...answers].join(' and ')}`);
  }

  const changed = outcomes.flatMap((outcome) => {
    const [entry] = outcome.end.kind === 'told' && !outcome.end.told.isReplayed ? madeBy(outcome.sent) : [];
    return entry ? [{ ...outcome, entry }] : [];
  });
  for (const one of changed)
    for (const other of changed)
      if (
        one.sent.value !== other.sent.value &&
        one.entry.record === other.entry.record &&
        one.endedAt < other.startedAt &&
        one.entry.version >= other.entry.version
      )
        fault(`${one.sent.value} was answered before ${other.sent.value} began, and is not older`);

  for (const { logo } of aftermath.companies as { logo?: { kind: string; hash: string } | null }[])
    if (logo?.kind === 'file' && !aftermath.logos.some(({ filename }) => filename === logo.hash))
      fault(`the logo ${logo.hash} is gone`);

  for (const { sent, end, begunAtMs } of all)
    if (end.kind === 'told' && end.told.isPublished && begunAtMs >= aftermath.endsAtMs)
      fault(`${sent.operation} shows a job as published past its end`);
  for (const { sent, end, reached = none } of all) {
    if (sent.operation !== 'list' || end.kind !== 'told') continue;
    const { listed = [], count = 0 } = end.told;
    const reader = `the reader of ${sent.brand ?? 'all brands'} in ${String(sent.inMedia)}`;
    for (const publicId of listed) if (!reached.has(publicId)) fault(`${reader} sees ${publicId}`);
    if (Number(count) > reached.size) fault(`${reader} counts ${count} of ${reached.size} jobs`);
  }
  for (const { sent, end, reached = none } of repeated)
    if (sent.operation === 'list' && end.kind === 'told' && end.told.listed?.length !== reached.size)
      fault(`${sent.brand ?? 'all brands'} in ${String(sent.inMedia)} misses a job in the end`);
  for (const { sent, end } of outcomes) {
    const later = repeated.find((one) => one.sent.operation === 'follow' && one.sent.value === sent.value);
    if (sent.operation !== 'follow' || end.kind !== 'told') continue;
    const copy = { ...end.told.copy, ...(later?.end.kind === 'told' && later.end.told.copy) };
    for (const { publicId, version, media = homeMedia } of [...aftermath.jobs, ...aftermath.companies]) {
      const has = copy[String(publicId)];
      // A follower need not hear of a record that it has never read.
      const isRight = media === homeMedia ? has === version : has === undefined || has === 'gone';
      if (!isRight)
        fault(`a follower has ${String(publicId)} at ${has}, not at ${String(version)} in ${String(media)}`);
    }
  }
  const passed = all.filter(({ sent, end }) => sent.operation === 'spend' && end.kind === 'told').length;
  if (passed > quota.limit) fault(`${passed} calls of a quota of ${quota.limit} passed in one window`);

  const archived = entries.filter(
    ({ actor, changes }) => actor === 'system' && changes.some(({ after }) => after === 'archived'),
  );
  if (archived.length > 1) fault(`archived ${archived.length} times`);
  for (const { sent, end } of repeated)
    if (sent.key && end.kind !== 'told') fault(`${sent.value} sent again under its key is ${end.kind}`);
  return faults;
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

const fieldOf = (operation: Sent['operation']): string =>
  operation === 'updateCompany' ? 'description' : 'salary';

const isChange = (operation: Sent['operation']): boolean =>
  ['updateJob', 'updateCompany', 'import'].includes(operation);

/** A made-up history entry for an import's insert, which writes no entry. */
const beginningOf = (record: Record<string, unknown>, later: readonly Entry[]): Entry => {
  const [next] = later.flatMap(({ changes }) => changes).filter(({ field }) => field === 'salary');
  const changes = [{ field: 'salary', before: null, after: next ? next.before : record.salary }];
  return { record: String(record._id), version: 1, actor: 'operator', changes };
};

/**
 * A record's entries, oldest first, from the record and the history collection. An entry that is being moved is in both, but counts once.
 */
function chainOf(record: Record<string, unknown>, history: readonly Record<string, unknown>[]): Entry[] {
  const pending = record.pendingHistory as Entry[];
  const moved = history.filter((entry) => String(entry.record) === String(record._id)) as unknown as Entry[];
  const both = new Set(moved.map(({ version }) => version));
  return [...moved, ...pending.filter(({ version }) => !both.has(version))]
    .map((entry) => ({ ...entry, record: String(record._id) }))
    .sort((one, other) => one.version - other.version);
}
