import { useApolloClient, useQuery } from '@apollo/client/react';
import { type EditedJob, JobFormDocument, type JobFormQuery } from 'recruitment-gateway-client';
import { sendWith } from 'recruitment-gateway-client/apollo';
import { choices, limits } from 'recruitment-gateway-client/forms';
import { useJobEdit } from 'recruitment-gateway-client/react';
import { Field, Status } from './field';

export function JobForm({ publicId, viewerCanUpdate }: { publicId: string; viewerCanUpdate: boolean }) {
  // The cache can't be the base of an edit: each list raises the version of a job there, but not the fields that the list lacks.
  const { data } = useQuery(JobFormDocument, {
    variables: { publicId, withEmails: viewerCanUpdate },
    fetchPolicy: 'no-cache',
  });
  return data?.job ? <Inputs key={data.job.id} job={data.job} data={data} /> : null;
}

function Inputs({ job, data }: { job: EditedJob; data: JobFormQuery }) {
  const form = useJobEdit(sendWith(useApolloClient()), job);
  return (
    <form onSubmit={form.save} noValidate>
      <h1>{job.name}</h1>
      {/* Disabled while it saves, an input would lose the focus. */}
      <fieldset disabled={!job.viewerCanUpdate} aria-busy={form.isSaving}>
        <Field form={form} name="salary" label="Salary" as="textarea" />
        {/* The gateway refuses an amount without a currency and a period. */}
        <Field form={form} name="salaryRange.minimum" label="From" />
        <Field form={form} name="salaryRange.maximum" label="To" />
        <Field form={form} name="salaryRange.currency" label="Currency" as="select">
          <option />
          {limits.SalaryRangeInput.currency.values.map((currency) => (
            <option key={currency}>{currency}</option>
          ))}
        </Field>
        <Field form={form} name="salaryRange.period" label="Per" as="select">
          <option />
          {choices.PayPeriod.map(({ value, label }) => (
            <option key={value} value={value}>
              {label.en}
            </option>
          ))}
        </Field>
        <Field form={form} name="contractId" label="Contract" as="select">
          <option />
          {data.contracts?.map(({ publicId, name }) => (
            <option key={publicId} value={publicId}>
              {name}
            </option>
          ))}
        </Field>
        {job.managerEmails && <Field form={form} name="managerEmails" label="Managers" />}
        <button>Save</button>
      </fieldset>
      <Status form={form} references={data} />
    </form>
  );
}
