import { cacheExchange } from '@urql/exchange-graphcache';
import { relayPagination } from '@urql/exchange-graphcache/extras';
import {
  type EditedJob,
  graphcacheKeys,
  isMutation,
  JobFormDocument,
  JobsDocument,
  type Send,
} from 'recruitment-gateway-client';
import { useJobEdit } from 'recruitment-gateway-client/react';
import { useState } from 'react';
import { Client, fetchExchange, useClient, useQuery } from 'urql';
import { Field, Status } from './field';

/** For `<Provider value={…}>` of urql. */
export const connect = (url: string, token: string) =>
  new Client({
    url,
    preferGetMethod: false,
    fetchOptions: { headers: { authorization: `Bearer ${token}`, 'apollo-require-preflight': 'true' } },
    exchanges: [
      cacheExchange({ keys: graphcacheKeys, resolvers: { Query: { jobs: relayPagination() } } }),
      fetchExchange,
    ],
  });

export function JobList({ media }: { media: string }) {
  const [after, setAfter] = useState<string | null>(null);
  const [{ data, error }] = useQuery({
    query: JobsDocument,
    variables: { mediaPublicId: media, first: 20, after },
  });
  if (error) return <p role="alert">{error.message}</p>;
  const jobs = data?.jobs;
  return (
    <>
      <ul>
        {jobs?.edges.map(({ node }) => (
          <li key={node.id}>
            {node.name}, {node.salary}
          </li>
        ))}
      </ul>
      {jobs?.pageInfo.hasNextPage && <button onClick={() => setAfter(jobs.pageInfo.endCursor)}>More</button>}
    </>
  );
}

const sendWith =
  (client: Client): Send =>
  async (document, variables) => {
    const { data, error } = isMutation(document)
      ? await client.mutation(document, variables)
      : await client.query(document, variables, { requestPolicy: 'network-only' });
    if (error) throw error;
    if (!data) throw new Error('The gateway sent no data.');
    return data;
  };

export function JobForm({ publicId }: { publicId: string }) {
  const [{ data }] = useQuery({
    query: JobFormDocument,
    variables: { publicId },
    requestPolicy: 'network-only',
  });
  return data?.job ? <Inputs key={data.job.id} job={data.job} /> : null;
}

function Inputs({ job }: { job: EditedJob }) {
  const form = useJobEdit(sendWith(useClient()), job);
  return (
    <form onSubmit={form.save}>
      <Field form={form} name="salary" label="Salary" />
      <Field form={form} name="managerEmails" label="Managers" />
      <button>Save</button>
      <Status form={form} />
    </form>
  );
}
