import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type EditedJob, JobFormDocument, type Send, waitBeforeRetry } from 'recruitment-gateway-client';
import { useJobEdit } from 'recruitment-gateway-client/react';

/**
 * With `gcTime: 0`, a form that opens again doesn't begin with what it read the last time. Repeats the query as long as the gateway says
 * to wait: `retry` and `retryDelay` can be defaults of the `QueryClient`.
 */
export const useJob = (send: Send, publicId: string) =>
  useQuery({
    queryKey: ['job', publicId],
    queryFn: () => send(JobFormDocument, { publicId }),
    gcTime: 0,
    retry: (failures, failure) => failures < 5 && waitBeforeRetry(failure, failures + 1) !== null,
    retryDelay: (failures, failure) => waitBeforeRetry(failure, failures + 1) ?? 0,
  });

/** For a component whose `key` is the id of the job, because the edit keeps its first job. */
export function useFetchedJobEdit(send: Send, job: EditedJob) {
  const queryClient = useQueryClient();
  return useJobEdit(send, job, {
    onSaved: () => void queryClient.invalidateQueries({ queryKey: ['jobs'] }),
  });
}
