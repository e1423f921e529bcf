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
  watch(callback: (values: never, change: { name?: string; type?: string }) => void): { unsubscribe(): void };
  getValues(): object;
  getValues(name: string): unknown;
  setValue(name: string, value: unknown): void;
  setError(name: string, error: { type: string; message: string }): void;
  clearErrors(names: never): void;
  handleSubmit(onValid: () => Promise<void>): (event?: BaseSyntheticEvent) => Promise<unknown>;
}

/** For `useForm({ defaultValues: hookValuesOf(form.edit) })`. */
export function hookValuesOf<Input extends object, Sent extends { input: object }, Version>(
  edit: Edit<Input, Sent, Version>,
): HookValues<Input> {
  const shown = Object.entries(edit.input).map(([name, value]) => [
    name,
    isGroup(value)
      ? Object.fromEntries(Object.entries(value).map(([part, each]) => [part, shownValue(part, each)]))
      : shownValue(name, value),
  ]);
  const { salaryRange, ...values } = Object.fromEntries(shown) as Record<string, unknown>;
  const isJob = !('sectorIds' in edit.input);
  const noPay = Object.fromEntries(Object.keys(limits.SalaryRangeInput).map((part) => [part, '']));
  return { ...values, ...(isJob && { salaryRange: salaryRange || noPay }) } as HookValues<Input>;
}

/** Whether a value has parts with inputs of their own. */
const isGroup = (value: unknown): value is Record<string, unknown> =>
  isRecord(value) && !Array.isArray(value) && !(value instanceof Blob);

const namesIn = (values: object): string[] =>
  Object.entries(values).flatMap(([name, value]) =>
    isGroup(value) ? Object.keys(value).map((part) => `${name}.${part}`) : [name],
  );

/**
 * Ties a form of react-hook-form to an edit: what is typed goes into the edit; what the edit merges, and the faults of a save, come back
 * to the inputs of the same names. Warnings are in `form.edit.warnings`, and what has changed in `form.edit.changed`.
 * @returns for `<form onSubmit={…}>`
 */
export function useHookForm<Input extends object, Sent extends { input: object }, Version>(
  form: EditForm<Input, Sent, Version>,
  hook: HookForm,
): (event?: BaseSyntheticEvent) => Promise<void> {
  const { edit } = form;
  useEffect(() => {
    let told: object = {};
    const show = (): void => {
      const names = new Set([...namesIn(hook.getValues()), ...namesIn(edit.input)]);
      for (const name of names) {
        const shown = shownValue(name, edit.get(name as NameOf<Input>));
        if (JSON.stringify(shown) !== JSON.stringify(hook.getValues(name) ?? '')) hook.setValue(name, shown);
      }
      if (edit.faults === told) return;
      hook.clearErrors(Object.keys(told) as never);
      told = edit.faults;
      for (const [name, message] of Object.entries<string>(told as Record<string, string>))
        hook.setError(name, { type: 'gateway', message });
    };
    const watching = hook.watch((_values, { name, type }) => {
      if (name !== undefined && type === 'change')
        edit.set(name as NameOf<Input>, givenValue(name, hook.getValues(name)) as never);
    });
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
