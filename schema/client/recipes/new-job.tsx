import { useApolloClient } from '@apollo/client/react';
import { type EditedJob } from 'recruitment-gateway-client';
import { sendWith } from 'recruitment-gateway-client/apollo';
import { jobCopyOf, newJobInput } from 'recruitment-gateway-client/forms';
import { useNewJobEdit } from 'recruitment-gateway-client/react';
import { Field, Status } from './field';

interface Props {
  media: string;
  company: string;
  /** The job to copy. */
  from?: EditedJob;
}

export function NewJob({ media, company, from }: Props) {
  const client = useApolloClient();
  const form = useNewJobEdit(sendWith(client), from ? jobCopyOf(from) : newJobInput(media, company), {
    onSaved: () => void client.refetchQueries({ include: ['Jobs'] }),
  });
  const isNew = form.edit.version === null;
  return (
    <form onSubmit={form.save} noValidate>
      {/* Neither can change later. Disabled, an input would lose the focus. */}
      <Field form={form} name="name" label="Title" readOnly={!isNew} />
      <Field form={form} name="jobPublicId" label="Public id" readOnly={!isNew} />
      <Field form={form} name="salary" label="Pay" />
      <button>{isNew ? 'Create' : 'Save'}</button>
      <Status form={form} />
    </form>
  );
}
