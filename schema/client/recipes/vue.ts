import { useClientHandle } from '@urql/vue';
import { type EditedJob, isMutation, jobCalls, type Send } from 'recruitment-gateway-client';
import { createEdit, jobInputOf } from 'recruitment-gateway-client/forms';
import { onScopeDispose, shallowRef, triggerRef } from 'vue';

/** For `<input :value="edit.get('salary')" @input="edit.set('salary', $event.target.value)" />`. */
export function useJobEdit(job: EditedJob) {
  const edit = shallowRef(createEdit(jobInputOf(job), job.version));
  onScopeDispose(edit.value.subscribe(() => triggerRef(edit)));
  const { client } = useClientHandle();
  const send: Send = async (document, variables) => {
    const { data, error } = isMutation(document)
      ? await client.mutation(document, variables)
      : await client.query(document, variables, { requestPolicy: 'network-only' });
    if (error) throw error;
    if (!data) throw new Error('The gateway sent no data.');
    return data;
  };
  const { update, read } = jobCalls(send);
  const save = () => edit.value.save(update, () => read(job.publicId));
  return { edit, save };
}
