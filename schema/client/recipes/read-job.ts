import { print } from 'graphql';
import { type Job, JobDocument, type JobQuery, readRefusal } from 'recruitment-gateway-client';

export async function readJob(uri: string, token: string, publicId: string): Promise<Job | null> {
  const response = await fetch(uri, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: print(JobDocument), variables: { publicId } }),
  });
  const body = (await response.json()) as { data?: JobQuery };
  const refusal = readRefusal(body, response.headers);
  if (refusal) {
    const text = `${refusal.error}, request ${refusal.requestId}: ${refusal.message}`;
    // With the body, `readRefusal` reads this failure, too: a form can show its faults.
    throw Object.assign(new Error(text), body, { response });
  }
  return body.data?.job ?? null;
}
