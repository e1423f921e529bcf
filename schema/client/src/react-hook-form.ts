'use client';
import { type BaseSyntheticEvent, useEffect } from 'react';
import { type Edit, type FieldOf, type NameOf } from './edit.js';
import { givenValue, shownValue } from './field-value.js';
import { isRecord } from './is-record.js';
import { limits } from './limits.js';
import { type EditForm } from './react.js';

/** The values of a form of react-hook-form: texts, and the ids of lists. E-mail addresses are one text, separated by semicolons. */
export type HookValues<Input> = { [Field in FieldOf<Input>]: HookValue<NonNullable<Input[Field]>, Field> };

type HookValue<Value, Field> = Value extends Blob
  ? Blob | string
  : Value extends readonly unknown[]
    ? Field extends `${string}Emails`
      ? string
      : string[]
    : Value extends object
      ? { [Part in keyof Value]-?: string }
      : string;

/** What is used of the object that `useForm` returns. */
interface HookForm {
  watch(callback: (values: never, change: { name?: string }) => void): { unsubscribe(): void };
  getValues(): object;
  getValues(name: string): unknown;
  setValue(name: string, value: unknown): void;
  setError(name: string, error: { type: string; message: string }): void;
  clearErrors(names: never): void;
  handleSubmit(onValid: () => Promise<void>): (event?: BaseSyntheticEvent) => Promise<unknown>;
}

type Values = Record<string, unknown>;

/** For `useForm({ defaultValues: hookValuesOf(form.edit) })`. */
export function hookValuesOf<Input extends object, Sent extends { input: object }, Version>(
  edit: Edit<Input, Sent, Version>,
): HookValues<Input> {
  const shown = (name: string) => shownValue(name, edit.get(name as NameOf<Input>));
  const values = fieldsOf(edit).map((field) => [
    field,
    field === group
      ? Object.fromEntries(parts.map((part) => [part, shown(`${group}.${part}`)]))
      : shown(field),
  ]);
  return Object.fromEntries(values) as HookValues<Input>;
}

/** The one field whose parts have inputs of their own. */
const group = 'salaryRange';
const parts = Object.keys(limits.SalaryRangeInput);
const inputsOf = (field: string): string[] =>
  field === group ? parts.map((part) => `${group}.${part}`) : [field];

/** The fields that the edit sends. A form may have others of its own. */
const fieldsOf = ({ input, version }: { input: object; version: unknown }): string[] => [
  ...new Set([
    ...Object.keys(input),
    ...('logoUrl' in input ? ['logo'] : []),
    ...(version === null ? [...Object.keys(limits.CreateJobInput), group] : []),
  ]),
];

/** What a form of react-hook-form has of an input: a file input has a list of files, and `valueAsNumber` makes a number. */
function valueIn(given: unknown): unknown {
  if (typeof given === 'number') return Number.isNaN(given) ? '' : String(given);
  const isFiles = isRecord(given) && !Array.isArray(given) && typeof given.length === 'number';
  return isFiles ? (given as Values)[0] : given;
}

/**
 * Ties a form of react-hook-form to an edit: what is typed, or set by `setValue` or `reset`, goes into the edit; what the edit merges, and
 * the faults of a save, come back to the inputs of the same names. Fields that no edit sends stay the form's own. Warnings are in
 * `form.edit.warnings`, and what has changed in `form.edit.changed`.
 * @returns for `<form onSubmit={…}>`
 */
export function useHookForm<Input extends object, Sent extends { input: object }, Version>(
  form: EditForm<Input, Sent, Version>,
  hook: HookForm,
): (event?: BaseSyntheticEvent) => Promise<void> {
  const { edit } = form;
  useEffect(() => {
    let told: object = {};
    /** The edit and the form tell each other of each change, also of those that come from here. */
    let isBusy = false;
    const get = (name: string): unknown => edit.get(name as NameOf<Input>);
    const isShown = (name: string): boolean => {
      const [value, given] = [get(name), valueIn(hook.getValues(name))];
      if (value instanceof Blob || given instanceof Blob) return value === given;
      // An amount stays as it was typed.
      const typed = shownValue(name, givenValue(name, given));
      return JSON.stringify(shownValue(name, value)) === JSON.stringify(typed);
    };
    const show = (): void => {
      if (isBusy) return;
      isBusy = true;
      for (const name of fieldsOf(edit).flatMap(inputsOf))
        if (!isShown(name)) hook.setValue(name, shownValue(name, get(name)));
      isBusy = false;
      if (edit.faults === told) return;
      hook.clearErrors(Object.keys(told) as never);
      told = edit.faults;
      for (const [name, message] of Object.entries<string>(told as Record<string, string>))
        hook.setError(name, { type: 'gateway', message });
    };
    /** What a user typed, or the application set. After a reset, which has no name, what the form has of each field. */
    const take = (changed?: string): void => {
      if (isBusy) return;
      isBusy = true;
      const [changedField] = changed?.split('.') ?? [];
      const fields = fieldsOf(edit).filter((field) => changed === undefined || field === changedField);
      for (const name of fields.flatMap(inputsOf)) {
        const given = hook.getValues(name);
        if (isShown(name) || (changed === undefined && given === undefined)) continue;
        edit.set(name as NameOf<Input>, givenValue(name, valueIn(given)) as never);
      }
      isBusy = false;
      show();
    };
    const watching = hook.watch((_values, { name }) => take(name));
    show();
    const end = edit.subscribe(show);
    return () => {
      watching.unsubscribe();
      end();
    };
    // `useForm` returns an object of its own with each render; its functions stay.
  }, [edit]);
  return async (event) => {
    // A fault of a field that the form does not have would hold back each later save.
    hook.clearErrors(Object.keys(edit.faults) as never);
    await hook.handleSubmit(() => form.save())(event);
  };
}
