import { print } from 'graphql';
import {
  CreateJobDocument,
  type CreateJobInput,
  type CreateJobMutation,
  type Job,
  readRefusal,
} from 'recruitment-gateway-client';

export async function createJob(
  uri: string,
  token: string,
  variables: { input: CreateJobInput; idempotencyKey: string },
  attempts = 5,
): Promise<Job> {
  const response = await fetch(uri, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: print(CreateJobDocument), variables }),
  }).catch(() => null);
  const body = (await response?.json().catch(() => null)) as { data?: CreateJobMutation } | null | undefined;
  if (body?.data?.createJob) return body.data.createJob.job;
  const refusal = readRefusal(body, response?.headers);
  // A broken connection, or a quota or a busy gateway, which says how long to wait.
  const seconds = refusal ? refusal.retryAfterSeconds : 1;
  if (attempts <= 1 || seconds === null)
    throw Object.assign(new Error(refusal?.message ?? 'The gateway did not answer.'), body);
  await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
  return createJob(uri, token, variables, attempts - 1);
}
