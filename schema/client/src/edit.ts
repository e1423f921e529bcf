import { type CreateJobInput } from './documents/graphql.js';
import { inputNameOf, type JobInput, type NewJobInput } from './inputs.js';
import { isRecord } from './is-record.js';
import { isSame } from './is-same.js';
import { newKey } from './new-key.js';
import { readRefusal } from './refusal.js';

/** The inputs that say which record an update changes. */
type Id = 'jobPublicId' | 'mediaPublicId' | 'companyPublicId';

/** A new job has no ids yet: a form can ask for its company and its public id. */
type IdOf<Input> = 'jobPublicId' | 'mediaPublicId' extends keyof Input ? 'mediaPublicId' : Id;

/** The fields that a form writes. */
export type FieldOf<Input> = Exclude<keyof Input & string, IdOf<Input>>;

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

/** A field that both sides changed, to different values. `base` is the value that both sides changed. */
export type Conflict<Input> = {
  [Field in FieldOf<Input>]: {
    field: Field;
    base: Input[Field] | null;
    mine: Input[Field] | null;
    theirs: Input[Field] | null;
  };
}[FieldOf<Input>];

export interface Variables<Input> {
  input: Partial<Input> & Pick<Input, Extract<keyof Input, Id>>;
  expectedVersion: number;
}

/** The variables of `CreateJobDocument`. The key stays the same however often an edit is sent, so that it makes one job. */
export interface NewJobVariables {
  input: CreateJobInput;
  idempotencyKey: string;
}

/** An edit that creates a job. Once it is saved, it is an edit of that job, and has a version. */
export type NewJobEdit = Edit<NewJobInput, NewJobVariables | Variables<JobInput>, number | null>;

/** The reply of an update, such as `{ input: jobInputOf(job), version: job.version, warnings }`. */
export interface Stored<Input> {
  input: Input;
  version: number;
  warnings?: readonly { field: string; message: string }[] | undefined;
}

/** Messages that can stand beside the inputs of these names. */
export type Messages<Input> = Readonly<Partial<Record<NameOf<Input>, string>>>;

/** What one person changes in a form: the record as it was read, its version, and the fields that differ. */
export interface Edit<Input, Sent extends { input: object } = Variables<Input>, Version = number> {
  /** The record as it was last read or saved; of a new job, what the form began with. */
  readonly base: Readonly<Input>;
  /** Null until a new job is saved. */
  readonly version: Version;
  /** What the form shows: `base` with the changes. */
  readonly input: Readonly<Input>;
  readonly isDirty: boolean;
  /** The fields that differ from `base`. */
  readonly changed: readonly FieldOf<Input>[];
  /** What `merge` found and nobody has resolved yet. */
  readonly conflicts: readonly Conflict<Input>[];
  /** What was wrong with the inputs of the last `save`. Setting an input drops its message. */
  readonly faults: Messages<Input>;
  /** What the last `save` stored otherwise than it was sent, such as an unknown town. Setting an input drops its message. */
  readonly warnings: Messages<Input>;
  /** Goes up with each change, for `useSyncExternalStore` of React. */
  readonly revision: number;
  /** What the form shows in one input; an absent value is null. */
  get<Name extends NameOf<Input>>(name: Name): ValueOf<Input, Name> | null;
  /** An empty text and undefined are null, which clears a field. A group without a value is null, too. */
  set<Name extends NameOf<Input>>(name: Name, value: ValueOf<Input, Name> | '' | undefined): void;
  /**
   * The variables of an update: the ids, and the fields that differ from `base`, except unresolved conflicts. Of a new job: every field that
   * has a value, and an idempotency key.
   */
  variables(): Sent;
  /**
   * Makes the reply of an update the new base. Fields that were set since stay changed.
   * @param sent the input of that update, from `variables()`
   */
  saved(input: Input, version: number, sent: Sent['input']): void;
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
  resolve<Field extends FieldOf<Input>>(field: Field, value: Input[Field] | null): void;
  /** Drops what was set, the conflicts and the messages: the form shows `base` again. */
  discard(): void;
  /**
   * Runs saves one after another, each with the variables of its turn: a second save while the first is under way expects the version
   * that the first one wrote. Returns null, and sends nothing, if nothing is left to send. If `send` fails, so does `save`; what was sent
   * stays changed. If the answer that a job was created is lost, the next save finds that job, and what was set meanwhile stays changed.
   * @param read reads the record as it is stored now. With it, a save that meets a `version-conflict` merges, and saves again, unless
   *   there are `conflicts`: then it returns null
   */
  save<Reply extends Stored<Input>>(
    send: (variables: Sent) => Promise<Reply>,
    read?: () => Promise<Stored<Input>>,
  ): Promise<Reply | null>;
  /**
   * Asks the gateway with a dry run what a save would say: `faults` and `warnings` have the answer, unless something was set meanwhile.
   * Nothing counts as saved. Fails if the reason is no input.
   */
  check(send: (variables: Sent & { dryRun: true }) => Promise<Stored<Input>>): Promise<void>;
  /** @returns a function that ends the subscription */
  subscribe: (listener: () => void) => () => void;
}

/** Begins an edit, such as `createEdit(jobInputOf(job), job.version)`, or of a new job `createEdit(newJobInput(media, company))`. */
export function createEdit<Input extends object>(input: Input, version: number): Edit<Input>;
export function createEdit(input: NewJobInput): NewJobEdit;
export function createEdit<Input extends object>(
  input: Input,
  first?: number,
): Edit<Input, Sent, number | null> {
  type Field = FieldOf<Input>;
  let version = first ?? null;
  const idempotencyKey = first === undefined ? newKey() : '';
  /** What may have created the job, because its answer was lost. */
  const unanswered: Sent[] = [];
  type Values = Record<string, unknown>;
  let base = input as Values;
  let shown: Values = base;
  /** What was set, even if it is what `base` has: a save that is under way may give another base. */
  const mine = new Map<string, unknown>();
  const open = new Map<string, { base: unknown; theirs: unknown }>();
  /** The input of the save that is under way. */
  let underWay: Values = {};
  let faults: Texts = {};
  let warnings: Texts = {};
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
    mine.set(field, cleared(value));
    // Typing their value decides a conflict.
    if (isSame(field, mine.get(field), storedIn(base, field))) open.delete(field);
    faults = without(faults, field);
    warnings = without(warnings, field);
  }

  const isChange = (field: string) =>
    mine.has(field) && (open.has(field) || !isSame(field, mine.get(field), storedIn(base, field)));
  const changed = () => [...mine.keys()].filter(isChange);

  const conflicts = (): readonly Conflict<Input>[] =>
    [...open].map(([field, values]) => ({ field, ...values, mine: mine.get(field) ?? null })) as never;

  function variables(): Sent {
    if (version === null) return { input: newInput(shown), idempotencyKey };
    const fields = changed().filter((field) => !open.has(field));
    const changes = Object.fromEntries(fields.map((field) => [field, mine.get(field)]));
    const ids = Object.fromEntries(Object.entries(base).filter(([name]) => isId(name)));
    return { input: { ...ids, ...changes }, expectedVersion: version };
  }

  function saved(reply: Input, newVersion: number, sent: Values): void {
    if (newVersion < (version ?? 0)) return;
    change(() => {
      const before = new Set(changed());
      base = { ...base, ...(version === null && sent), ...(reply as Values) };
      for (const [field, value] of mine) {
        const isSetSince = field in sent ? !isSame(field, sent[field], value) : before.has(field);
        if (!isSetSince || isSame(field, value, storedIn(base, field))) drop(field);
      }
      version = newVersion;
    });
  }

  /** Whether a field was set back to the base while a save of another value, which has arrived, is under way. */
  const isTakenBack = (field: string, after: unknown) =>
    field in underWay && isSame(field, underWay[field], after);

  function merge(current: Input, newVersion: number): readonly Conflict<Input>[] {
    if (newVersion < (version ?? 0)) return conflicts();
    const theirs = current as Values;
    change(() => {
      for (const [field, value] of mine) {
        const before = open.has(field) ? open.get(field)?.base : storedIn(base, field);
        const after = storedIn({ ...base, ...theirs }, field);
        if (isSame(field, after, value) || !(isChange(field) || isTakenBack(field, after))) drop(field);
        else if (isSame(field, after, before) || isTakenBack(field, after)) open.delete(field);
        else open.set(field, { base: before ?? null, theirs: after ?? null });
      }
      base = { ...base, ...theirs };
      version = newVersion;
    });
    return conflicts();
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
    get faults() {
      return faults as Messages<Input>;
    },
    get warnings() {
      return warnings as Messages<Input>;
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
        put(field, part === undefined ? value : { ...(shown[field] as Values | null), [part]: value });
      }),
    variables,
    saved: (reply, newVersion, sent) => saved(reply, newVersion, sent),
    merge,
    resolve: (field, value) =>
      change(() => {
        open.delete(field);
        // Their file cannot be sent, but it is what is stored.
        if (field === 'logo' && !(value instanceof Blob)) drop(field);
        else put(field, value);
      }),
    discard: () =>
      change(() => {
        mine.clear();
        open.clear();
        faults = warnings = {};
      }),
    save<Reply extends Stored<Input>>(
      send: (variables: Sent) => Promise<Reply>,
      read?: () => Promise<Stored<Input>>,
    ): Promise<Reply | null> {
      const run = async (): Promise<Reply | null> => {
        if (version !== null && changed().length === open.size) return null;
        const sent = variables();
        underWay = sent.input;
        change(() => void (faults = warnings = {}));
        let conflict: unknown;
        try {
          const { reply, answered } = await firstAnswer(send, [sent, ...unanswered]);
          saved(reply.input, reply.version, answered.input);
          change(() => void (warnings = messagesOf(reply.warnings)));
          return reply;
        } catch (failure) {
          const refusal = readRefusal(failure);
          if (version === null && !(refusal && refusal.status < 500)) unanswered.push(sent);
          change(() => void (faults = messagesOf(refusal?.fields)));
          if (!read || refusal?.error !== 'version-conflict') throw failure;
          conflict = failure;
        } finally {
          underWay = {};
        }
        const current = await read();
        // A cache has answered: the same save would be refused again, without end.
        if (current.version <= (version ?? 0)) throw conflict;
        return merge(current.input, current.version).length > 0 ? null : run();
      };
      const turn = lastSave ? lastSave.then(run) : run();
      const ended = turn.catch(() => undefined).then(() => void (lastSave === ended && (lastSave = null)));
      lastSave = ended;
      return turn;
    },
    async check(send) {
      const [asked, reply] = [revision, send({ ...variables(), dryRun: true })];
      const tell = (found: Texts, told: Texts) => {
        if (revision === asked) change(() => ([faults, warnings] = [found, told]));
      };
      try {
        tell({}, messagesOf((await reply).warnings));
      } catch (failure) {
        const fields = readRefusal(failure)?.fields ?? [];
        if (fields.length === 0) throw failure;
        tell(messagesOf(fields), {});
      }
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

type Texts = Readonly<Record<string, string>>;

/** What `variables` has. */
interface Sent {
  input: Record<string, unknown>;
  expectedVersion?: number;
  idempotencyKey?: string;
}

/** Sends the first. If its key has already made a record of another input, sends the next, which may be that input. */
async function firstAnswer<Reply>(
  send: (variables: Sent) => Promise<Reply>,
  [sent, ...others]: readonly Sent[],
): Promise<{ reply: Reply; answered: Sent }> {
  try {
    return { reply: await send(sent!), answered: sent! };
  } catch (failure) {
    if (others.length === 0 || readRefusal(failure)?.error !== 'idempotency-key-reuse') throw failure;
    return firstAnswer(send, others);
  }
}

/** What a new job has. Its company and name are sent even without a value: then the gateway says that they are missing. */
const newInput = (shown: Record<string, unknown>): Record<string, unknown> => ({
  ...Object.fromEntries(Object.entries(shown).filter(([, value]) => value !== null && value !== undefined)),
  companyPublicId: shown.companyPublicId ?? '',
  name: shown.name ?? '',
});

const isId = (name: string): boolean => ['jobPublicId', 'mediaPublicId', 'companyPublicId'].includes(name);

/** A new logo is a file, a stored one a URL. */
const storedIn = (input: Record<string, unknown>, field: string): unknown =>
  input[field === 'logo' ? 'logoUrl' : field];

/** An input without a value has an empty text, or undefined, where the gateway needs null. */
function cleared(value: unknown): unknown {
  if (value === '' || value === undefined) return null;
  if (!isRecord(value) || Array.isArray(value) || value instanceof Blob) return value;
  const parts = Object.entries(value).map(([name, part]) => [name, cleared(part)] as const);
  return parts.some(([, part]) => part !== null) ? Object.fromEntries(parts) : null;
}

/** Of faults and warnings, by input. */
function messagesOf(
  found: readonly { path?: readonly string[]; field?: string; message: string }[] = [],
): Texts {
  const messages: Record<string, string> = {};
  for (const { path, field = '', message } of found) {
    const name = inputNameOf(path ?? field);
    messages[name] = messages[name] === undefined ? message : `${messages[name]} ${message}`;
  }
  return messages;
}

const without = (messages: Texts, field: string): Texts =>
  Object.fromEntries(Object.entries(messages).filter(([name]) => name.split('.')[0] !== field));
