import { type EditedJob, type Send } from 'recruitment-gateway-client';
import { fieldLabelOf } from 'recruitment-gateway-client/forms';
import { useJobEdit } from 'recruitment-gateway-client/react';
import { hookValuesOf, useHookForm } from 'recruitment-gateway-client/react-hook-form';
import { useForm } from 'react-hook-form';
import { Status } from './field';

/** `send` is that of your client, such as `sendWith(useApolloClient())`. */
export function JobForm({ send, job }: { send: Send; job: EditedJob }) {
  const form = useJobEdit(send, job);
  const hook = useForm({ defaultValues: hookValuesOf(form.edit) });
  const submit = useHookForm(form, hook);
  const { errors } = hook.formState;
  return (
    <form onSubmit={submit} noValidate>
      <label>
        Salary
        <input {...hook.register('salary')} />
        <em role="alert">{errors.salary?.message}</em>
      </label>
      {/* The gateway refuses an amount without a currency and a period. */}
      {(['minimum', 'maximum', 'currency', 'period'] as const).map((part) => (
        <label key={part}>
          {fieldLabelOf('UpdateJobInput', `salaryRange.${part}`, 'en').label}
          <input {...hook.register(`salaryRange.${part}`)} />
          <em role="alert">{errors.salaryRange?.[part]?.message}</em>
        </label>
      ))}
      <label>
        Place
        <input {...hook.register('localisation')} />
        <em role="status">{form.edit.warnings.localisation}</em>
      </label>
      <label>
        Managers
        <input {...hook.register('managerEmails')} />
        <em role="alert">{errors.managerEmails?.message}</em>
      </label>
      <button>Save</button>
      <Status form={form} />
    </form>
  );
}
