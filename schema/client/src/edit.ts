/** The inputs that say which record an update changes. */
type Id = 'jobPublicId' | 'mediaPublicId' | 'companyPublicId';

type FieldOf<Input> = Exclude<keyof Input & string, Id>;

/** The names of inputs: fields such as `salary`, and parts of groups such as `salaryRange.minimum`. */
export type NameOf<Input> =
  | FieldOf<Input>
  | { [Field in FieldOf<Input>]: `${Field}.${PartOf<NonNullable<Input[Field]>>}` }[FieldOf<Input>];

type PartOf<Value> = Value extends string | number | Blob | readonly unknown[] ? never : keyof Value & string;

/** What an edit has for a name. */
type ValueOf<Input, Name> = Name extends keyof Input
  ? Input[Name]
  : Name extends `${infer Field extends keyof Input & string}.${infer Part}`
    ? NonNullable<Input[Field]>[Part & keyof NonNullable<Input[Field]>] | null
    : never;

/** A field that both sides changed, to different values. */
export interface Conflict<Input> {
  field: FieldOf<Input>;
  /** The value that both sides changed. */
  base: unknown;
  mine: unknown;
  theirs: unknown;
}

export interface Variables<Input> {
  input: Partial<Input> & Pick<Input, Extract<keyof Input, Id>>;
  expectedVersion: number;
}

/** What one person changes in a form: the record as it was read, its version, and the fields that differ. */
export interface Edit<Input> {
  /** The record as it was last read or saved. */
  readonly base: Readonly<Input>;
  readonly version: number;
  /** What the form shows: `base` with the changes. */
  readonly input: Readonly<Input>;
  readonly isDirty: boolean;
  /** The fields that differ from `base`. */
  readonly changed: readonly FieldOf<Input>[];
  /** What `merge` found and nobody has resolved yet. */
  readonly conflicts: readonly Conflict<Input>[];
  /** Goes up with each change, for `useSyncExternalStore` of React. */
  readonly revision: number;
  /** What the form shows in one input; an absent value is null. */
  get<Name extends NameOf<Input>>(name: Name): ValueOf<Input, Name> | null;
  /** An empty text is null, which clears a field. */
  set<Name extends NameOf<Input>>(name: Name, value: ValueOf<Input, Name> | ''): void;
  /** The variables of an update: the ids, and the fields that differ from `base`, except unresolved conflicts. */
  variables(): Variables<Input>;
  /** Makes the reply of an update the new base. Fields that were set after `variables()` stay changed. */
  saved(input: Input, version: number): void;
  /**
   * Makes what somebody else has stored the new base, after a `version-conflict`. Merges field by field, and a group such as `salaryRange`
   * or a list as a whole, because the gateway replaces it as a whole: a minimum in euros must not meet a new currency.
   * - Only they changed the field: takes their value.
   * - Only you did, or both to the same value: keeps yours.
   * - Both did, to different values: keeps yours in the form, but sends it only after `resolve`.
   * @returns the conflicts
   */
  merge(currentInput: Input, version: number): readonly Conflict<Input>[];
  /** Decides a conflict: for `mine`, `theirs` or another value. */
  resolve(field: FieldOf<Input>, value: unknown): void;
  /**
   * Runs saves one after another, each with the variables of its turn: a second save while the first is under way expects the version
   * that the first one wrote. Returns null, and sends nothing, if nothing is left to send.
   * @param send resolves with the reply as an input, such as `{ input: jobInputOf(job), version: job.version }`
   */
  save<Reply extends { input: Input; version: number }>(
    send: (variables: Variables<Input>) => Promise<Reply>,
  ): Promise<Reply | null>;
  /** @returns a function that ends the subscription */
  subscribe(listener: () => void): () => void;
}

/** Begins an edit, such as `createEdit(jobInputOf(job), job.version)`. */
export function createEdit<Input extends object>(input: Input, version: number): Edit<Input> {
  type Field = FieldOf<Input>;
  type Values = Record<string, unknown>;
  let base = input as Values;
  let shown: Values = base;
  const mine = new Map<string, unknown>();
  const open = new Map<string, { base: unknown; theirs: unknown }>();
  let sent: Values[] = [];
  let revision = 0;
  const listeners = new Set<() => void>();
  let lastSave: Promise<unknown> | null = null;

  function change(apply: () => void): void {
    apply();
    shown = { ...base, ...Object.fromEntries(mine) };
    revision += 1;
    for (const listener of listeners) listener();
  }

  const drop = (field: string) => {
    mine.delete(field);
    open.delete(field);
  };

  function put(field: string, value: unknown): void {
    mine.set(field, value);
    // A value that is under way will become the base: going back to the base of now is a change.
    if (!isChange(field) && !sent.some((one) => field in one)) mine.delete(field);
  }

  const isChange = (field: string) => open.has(field) || !isSame(mine.get(field), storedIn(base, field));
  const changed = () => [...mine.keys()].filter(isChange);

  const conflicts = (): readonly Conflict<Input>[] =>
    [...open].map(([field, values]) => ({ field: field as Field, ...values, mine: mine.get(field) ?? null }));

  function variables(): Variables<Input> {
    const fields = changed().filter((field) => !open.has(field));
    const changes = Object.fromEntries(fields.map((field) => [field, mine.get(field)]));
    sent.push(changes);
    const ids = Object.fromEntries(Object.entries(base).filter(([name]) => isId(name)));
    return { input: { ...ids, ...changes } as Variables<Input>['input'], expectedVersion: version };
  }

  function saved(reply: Input, newVersion: number): void {
    if (newVersion < version) return;
    change(() => {
      // Two calls may have been under way: a value counts as saved only if each of them sent it.
      const wasSent = (field: string, value: unknown) =>
        sent.length > 0 && sent.every((one) => field in one && isSame(one[field], value));
      base = { ...base, ...(reply as Values) };
      for (const [field, value] of mine)
        if (wasSent(field, value) || isSame(value, storedIn(base, field))) drop(field);
      sent = [];
      version = newVersion;
    });
  }

  return {
    get base() {
      return base as Input;
    },
    get version() {
      return version;
    },
    get input() {
      return shown as Input;
    },
    get isDirty() {
      return changed().length > 0;
    },
    get changed() {
      return changed() as Field[];
    },
    get conflicts() {
      return conflicts();
    },
    get revision() {
      return revision;
    },
    get(name) {
      const [field = '', part] = name.split('.');
      const value = shown[field] as Values | null | undefined;
      return ((part === undefined ? value : value?.[part]) ?? null) as never;
    },
    set: (name, value) =>
      change(() => {
        const [field = '', part] = name.split('.');
        const given = (value as unknown) === '' ? null : (value as unknown);
        if (part === undefined) return put(field, given);
        const group = { ...(shown[field] as Values | null), [part]: given };
        put(field, Object.values(group).every((each) => each === null || each === undefined) ? null : group);
      }),
    variables,
    saved,
    merge(current, newVersion) {
      if (newVersion < version) return conflicts();
      const theirs = current as Values;
      change(() => {
        for (const [field, value] of mine) {
          const before = open.has(field) ? open.get(field)?.base : storedIn(base, field);
          const after = storedIn({ ...base, ...theirs }, field);
          if (isSame(after, value)) drop(field);
          else if (isSame(after, before)) open.delete(field);
          else open.set(field, { base: before ?? null, theirs: after ?? null });
        }
        base = { ...base, ...theirs };
        for (const field of mine.keys()) if (!isChange(field)) mine.delete(field);
        sent = [];
        version = newVersion;
      });
      return conflicts();
    },
    resolve: (field, value) =>
      change(() => {
        open.delete(field);
        // Their file cannot be sent, but it is what is stored.
        if (field === 'logo' && !(value instanceof Blob)) drop(field);
        else put(field, value === '' ? null : (value ?? null));
      }),
    save(send) {
      const run = async () => {
        if (changed().length === open.size) return null;
        const reply = await send(variables());
        saved(reply.input, reply.version);
        return reply;
      };
      const turn = lastSave ? lastSave.then(run) : run();
      const ended = turn.catch(() => undefined).then(() => void (lastSave === ended && (lastSave = null)));
      lastSave = ended;
      return turn;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

const isId = (name: string): boolean => ['jobPublicId', 'mediaPublicId', 'companyPublicId'].includes(name);

/** A new logo is a file, a stored one a URL. */
const storedIn = (input: Record<string, unknown>, field: string): unknown =>
  input[field === 'logo' ? 'logoUrl' : field];

/** Whether the gateway stores the same for both. */
const isSame = (one: unknown, other: unknown): boolean =>
  one === other || JSON.stringify(comparable(one)) === JSON.stringify(comparable(other));

let files = 0;
const fileIds = new WeakMap<Blob, number>();

function comparable(value: unknown): unknown {
  if (typeof value === 'string') {
    const text = value.replace(/\r\n?/g, '\n').trim();
    // The gateway stores a date as the end of that day in UTC.
    return /^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T23:59:59.999Z` : text || null;
  }
  if (Array.isArray(value)) {
    const parts = value.flatMap((element) => String(element).split(';')).map((part) => part.trim());
    return parts.some(Boolean) ? parts.filter(Boolean) : null;
  }
  if (value instanceof Blob) {
    const id = fileIds.get(value) ?? (files += 1);
    fileIds.set(value, id);
    return { file: id };
  }
  if (typeof value !== 'object' || value === null) return value ?? null;
  const parts = Object.entries(value).flatMap(([name, part]) => {
    const isAmount = /^\d+(\.\d+)?$/.test(String(part));
    const shown = isAmount ? Number(part) : comparable(part);
    return shown === null ? [] : [[name, shown] as const];
  });
  return parts.length > 0 ? parts.sort(([one], [other]) => (one < other ? -1 : 1)) : null;
}
