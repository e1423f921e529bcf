'use client';
import { type ChangeEvent, useEffect, useId, useState, useSyncExternalStore } from 'react';
import {
  createEdit,
  type Edit,
  type NameOf,
  type NewJobVariables,
  type Stored,
  type Variables,
} from './edit.js';
import { givenValue, shownValue } from './field-value.js';
import { companyInputOf, type CompanyInput, jobInputOf, type JobInput, type NewJobInput } from './inputs.js';
import { isRecord } from './is-record.js';
import {
  type FormInputs,
  type InputAttributes,
  inputAttributes,
  type InputName,
  type Limit,
  limitOf,
} from './limits.js';
import { companyCalls, type EditedCompany, type EditedJob, jobCalls, type Send } from './records.js';
import { readRefusal, type Refusal } from './refusal.js';

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** The properties of `<input>`, `<textarea>` or `<select>`. A list of ids, such as `sectorIds`, is a `<select multiple>`. */
export interface FieldProps extends InputAttributes {
  id: string;
  name: string;
  /** Absent for a file. */
  value?: string | readonly string[];
  multiple?: true;
  onChange: (event: ChangeEvent<Control>) => void;
  /** Of a number or a date: React calls `onChange` only if `value` changes, which a text that nobody can read leaves empty. */
  onInput?: (event: { target: object }) => void;
  /** Of a file: empties the input if the edit has no file any more. */
  ref?: (input: Control | null) => void;
  'aria-invalid'?: true;
  'aria-describedby': string;
}

/** The properties of the element with the message of a field, such as `<em>`. Hidden if there is none. */
export interface MessageProps {
  id: string;
  role?: 'alert' | 'status';
  hidden?: true;
  children?: string;
}

/** A form of one record. */
export interface EditForm<Input extends object, Sent extends { input: object }, Version> {
  /** The input type, for labels. */
  type: keyof FormInputs;
  /** The same object as long as the component is mounted. */
  edit: Edit<Input, Sent, Version>;
  /** For the input of a field, such as `<input {...field('salary')} />`. */
  field: (name: NameOf<Input>) => FieldProps;
  /** For the fault or the warning of a field, such as `<em {...message('salary')} />`. */
  message: (name: NameOf<Input>) => MessageProps;
  /** Saves what has changed, and merges what a colleague has saved first. Fails only if `onSaved` does: `failure` says why nothing was saved. */
  save(event?: { preventDefault(): void }): Promise<void>;
  isSaving: boolean;
  /** Whether the last save has stored everything, and nothing was set since. */
  isSaved: boolean;
  /** Why the last save failed, or why its user cannot save; otherwise null. */
  failure: Error | null;
  /** The gateway's refusal behind `failure`; null if there was none. */
  refusal: Refusal | null;
}

export interface EditOptions<Input, Sent, Reply extends Stored<Input>> {
  /** The input type, for the attributes of each field. */
  type: keyof FormInputs;
  /** Sends an update. */
  update: (variables: Sent) => Promise<Reply>;
  /** Reads the record as it is stored now, to merge. Without it, a `version-conflict` is a failure. */
  read?: () => Promise<Stored<Input>>;
  /** Called after each save that has stored something. */
  onSaved?: ((reply: Reply) => void) | undefined;
  /** The `viewerCanUpdate` of the record. If it is false, a dry run asks the gateway why. */
  canUpdate?: boolean;
}

/**
 * The form of an edit, with any client. Give the component the id of its record as `key`: the edit keeps its first record.
 * @param begin makes the edit, such as `() => createEdit(jobInputOf(job), job.version)`
 */
export function useEdit<
  Input extends object,
  Sent extends { input: object },
  Version extends number | null,
  Reply extends Stored<Input>,
>(
  begin: () => Edit<Input, Sent, Version>,
  { type, update, read, onSaved, canUpdate = true }: EditOptions<Input, Sent, Reply>,
): EditForm<Input, Sent, Version> {
  const [edit] = useState(begin);
  const revisionOf = () => edit.revision;
  useSyncExternalStore(edit.subscribe, revisionOf, revisionOf);
  const prefix = useId();
  const [{ saving, hasSaved, failure }, setState] = useState<State>({
    saving: 0,
    hasSaved: false,
    failure: null,
  });

  useEffect(() => {
    if (canUpdate) return;
    edit
      .check(update)
      .catch((thrown: unknown) => setState((state) => ({ ...state, failure: errorOf(thrown) })));
  }, [edit, canUpdate]);

  async function save(event?: { preventDefault(): void }): Promise<void> {
    event?.preventDefault();
    setState((state) => ({ saving: state.saving + 1, hasSaved: false, failure: null }));
    const end = (outcome: Omit<State, 'saving'>) =>
      setState((state) => ({ ...outcome, saving: state.saving - 1 }));
    let reply;
    try {
      reply = await edit.save(update, read);
    } catch (thrown) {
      return end({ hasSaved: false, failure: errorOf(thrown) });
    }
    end({ hasSaved: true, failure: null });
    if (reply) onSaved?.(reply);
  }

  const messageIdOf = (name: string) => `${prefix}${name}-message`;

  function field(name: NameOf<Input>): FieldProps {
    const typed = name as InputName<typeof type>;
    const { maximumItems, format }: Limit = limitOf(type, typed);
    const attributes = inputAttributes(type, typed);
    const isList = maximumItems !== undefined && format === undefined;
    const value = shownValue(name, edit.get(name) ?? (isList ? [] : null));
    const isFile = attributes.type === 'file';
    const isParsed = attributes.type === 'number' || attributes.type === 'date';
    const take = ({ target }: { target: object }) =>
      edit.set(name, givenValue(name, givenOf(target as Target)) as never);
    return {
      ...attributes,
      id: `${prefix}${name}`,
      name,
      // React keeps what was typed as long as the value is that of the input, which is empty if nobody can read the text.
      ...(!isFile && !(value instanceof Blob) && { value: isParsed && value === unreadable ? '' : value }),
      ...(isList && { multiple: true }),
      onChange: take,
      ...(isParsed && { onInput: take }),
      ...(isFile && {
        ref(input) {
          if (input && !edit.get(name)) Object.assign(input, { value: '' });
        },
      }),
      ...(edit.faults[name] !== undefined && { 'aria-invalid': true }),
      'aria-describedby': messageIdOf(name),
    };
  }

  function message(name: NameOf<Input>): MessageProps {
    const [fault, warning] = [edit.faults[name], edit.warnings[name]];
    const text = fault ?? warning;
    const id = messageIdOf(name);
    if (text === undefined) return { id, hidden: true };
    return { id, role: fault === undefined ? 'status' : 'alert', children: text };
  }

  const isSaved = hasSaved && !edit.isDirty;
  return {
    type,
    edit,
    field,
    message,
    save,
    isSaving: saving > 0,
    isSaved,
    failure,
    refusal: readRefusal(failure?.cause),
  };
}

/** A client may reject with anything, such as the parsed body of a reply. Its errors have the message of GraphQL, which names variables. */
function errorOf(thrown: unknown): Error {
  const refusal = readRefusal(thrown);
  if (thrown instanceof Error && !refusal) return thrown;
  const { message } = refusal ?? (isRecord(thrown) ? thrown : {});
  return new Error(typeof message === 'string' ? message : String(thrown), { cause: thrown });
}

interface State {
  /** How many saves are under way. */
  saving: number;
  hasSaved: boolean;
  failure: Error | null;
}

/** Declared here, so that the package compiles in Node.js. */
interface Target {
  type: string;
  value: string;
  validity: { badInput: boolean };
  files?: ArrayLike<Blob> | null;
  selectedOptions?: Iterable<{ value: string }>;
}

/** What an edit has of a number or a date that nobody can read, such as "1e". The gateway refuses it, and says so at the input. */
const unreadable = '?';

function givenOf({ type, value, validity, files, selectedOptions = [] }: Target): unknown {
  if (validity.badInput) return unreadable;
  if (type === 'file') return files?.[0] ?? null;
  return type === 'select-multiple' ? [...selectedOptions].map((option) => option.value) : value;
}

interface Saved<Reply> {
  onSaved?: (reply: Reply) => void;
}
type StoredJob = Awaited<ReturnType<ReturnType<typeof jobCalls>['update']>>;
type StoredCompany = Awaited<ReturnType<ReturnType<typeof companyCalls>['update']>>;

/** The form of a job that `JobFormDocument` has read. */
export function useJobEdit(
  send: Send,
  job: EditedJob,
  { onSaved }: Saved<StoredJob> = {},
): EditForm<JobInput, Variables<JobInput>, number> {
  const { update, read } = jobCalls(send, { withEmails: 'managerEmails' in job });
  return useEdit(() => createEdit(jobInputOf(job), job.version), {
    ...{ type: 'UpdateJobInput', update, onSaved, canUpdate: job.viewerCanUpdate },
    read: () => read(job.publicId),
  });
}

/** The form of a new job. Once it is saved, it is the form of that job. */
export function useNewJobEdit(
  send: Send,
  input: NewJobInput,
  { onSaved }: Saved<StoredJob> = {},
): EditForm<NewJobInput, NewJobVariables | Variables<JobInput>, number | null> {
  const { update, read } = jobCalls(send);
  const [edit] = useState(() => createEdit(input));
  return useEdit(() => edit, {
    ...{ type: 'CreateJobInput', update, onSaved },
    read: () => read(edit.base.jobPublicId ?? ''),
  });
}

/** The form of a company that `CompanyFormDocument` has read. */
export function useCompanyEdit(
  send: Send,
  company: EditedCompany,
  { onSaved }: Saved<StoredCompany> = {},
): EditForm<CompanyInput, Variables<CompanyInput>, number> {
  const { update, read } = companyCalls(send);
  return useEdit(() => createEdit(companyInputOf(company), company.version), {
    ...{ type: 'UpdateCompanyInput', update, onSaved, canUpdate: company.viewerCanUpdate },
    read: () => read(company.mediaPublicId, company.publicId),
  });
}
