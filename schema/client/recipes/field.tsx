import { describeValue, fieldLabelOf, type NameOf } from 'recruitment-gateway-client/forms';
import { type EditForm } from 'recruitment-gateway-client/react';
import { type ReactNode } from 'react';

interface Of<Input extends object, Sent extends { input: object }, Version> {
  form: EditForm<Input, Sent, Version>;
}

interface Props<Input extends object, Sent extends { input: object }, Version> extends Of<
  Input,
  Sent,
  Version
> {
  name: NameOf<Input>;
  label: string;
  as?: 'input' | 'textarea' | 'select';
  readOnly?: boolean;
  /** The options of a select. */
  children?: ReactNode;
}

/** An input with its label, and the fault or the warning of the last save. */
export function Field<Input extends object, Sent extends { input: object }, Version>({
  form,
  name,
  label,
  as: Control = 'input',
  ...rest
}: Props<Input, Sent, Version>) {
  return (
    <label>
      {label}
      <Control {...form.field(name)} {...rest} />
      <em {...form.message(name)} />
    </label>
  );
}

/** What the last save did, why nobody may save, and what its user has to decide. `references` has the names of the ids. */
export function Status<Input extends object, Sent extends { input: object }, Version>({
  form: { type, edit, failure, isSaved },
  references = {},
}: Of<Input, Sent, Version> & { references?: object }) {
  const inWords = (field: string, value: unknown) => describeValue(field, value, references, 'en');
  return (
    <>
      <p role="status">{isSaved ? 'Saved.' : failure?.message}</p>
      {edit.conflicts.map(({ field, mine, theirs }) => (
        <p key={field} role="alert">
          A colleague has changed “{fieldLabelOf(type, field as never, 'en').label}”, too.
          <button type="button" onClick={() => edit.resolve(field, mine)}>
            Keep mine: {inWords(field, mine)}
          </button>
          <button type="button" onClick={() => edit.resolve(field, theirs)}>
            Take theirs: {inWords(field, theirs)}
          </button>
        </p>
      ))}
    </>
  );
}
