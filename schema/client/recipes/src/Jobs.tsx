import {
  fetchQuery,
  graphql,
  useLazyLoadQuery,
  useMutation,
  usePaginationFragment,
  useRelayEnvironment,
} from 'react-relay';
import { readRefusal } from 'recruitment-gateway-client';
import { createEdit } from 'recruitment-gateway-client/forms';
import { useEdit } from 'recruitment-gateway-client/react';
import { Environment, type FetchFunction, Network, RecordSource, Store } from 'relay-runtime';
import { type Jobs_list$key } from './__generated__/Jobs_list.graphql';
import { type JobsFormQuery } from './__generated__/JobsFormQuery.graphql';
import { type JobsPageQuery } from './__generated__/JobsPageQuery.graphql';
import { type JobsQuery } from './__generated__/JobsQuery.graphql';
import { type JobsSaveMutation } from './__generated__/JobsSaveMutation.graphql';
import { Field, Status } from '../field';

/** For `<RelayEnvironmentProvider environment={…}>`. */
export const connect = (uri: string, token: string) => {
  const send: FetchFunction = async ({ text }, variables) => {
    const response = await fetch(uri, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query: text, variables }),
    });
    const body = await response.json();
    const refusal = readRefusal(body, response.headers);
    if (refusal) throw Object.assign(new Error(refusal.message), { errors: body.errors });
    return body;
  };
  return new Environment({ network: Network.create(send), store: new Store(new RecordSource()) });
};

/** In a `<Suspense>`, and in an error boundary, which shows why the gateway refused the query. */
export function JobList({ media }: { media: string }) {
  const query = useLazyLoadQuery<JobsQuery>(
    graphql`
      query JobsQuery($media: String!) {
        ...Jobs_list @arguments(media: $media)
      }
    `,
    { media },
  );
  const { data, hasNext, loadNext } = usePaginationFragment<JobsPageQuery, Jobs_list$key>(
    graphql`
      fragment Jobs_list on Query
      @refetchable(queryName: "JobsPageQuery")
      @argumentDefinitions(
        media: { type: "String!" }
        first: { type: "Int", defaultValue: 20 }
        after: { type: "String" }
      ) {
        jobs(mediaPublicId: $media, first: $first, after: $after) @connection(key: "Jobs_jobs") {
          edges {
            node {
              id
              name
              salary
            }
          }
        }
      }
    `,
    query,
  );
  return (
    <>
      <ul>
        {data.jobs?.edges.map(({ node }) => (
          <li key={node.id}>
            {node.name}, {node.salary}
          </li>
        ))}
      </ul>
      {hasNext && <button onClick={() => loadNext(20)}>More</button>}
    </>
  );
}

const formQuery = graphql`
  query JobsFormQuery($publicId: String!) {
    job(publicId: $publicId) {
      id
      publicId
      salary
      managerEmails
      version
    }
  }
`;

type EditedJob = NonNullable<JobsFormQuery['response']['job']>;

export function JobForm({ publicId }: { publicId: string }) {
  const { job } = useLazyLoadQuery<JobsFormQuery>(formQuery, { publicId }, { fetchPolicy: 'network-only' });
  return job && <Inputs key={job.id} job={job} />;
}

/** The fields of this form. `jobInputOf` needs those of `JobFormDocument`. */
const storedIn = (
  job: EditedJob | null | undefined,
  warnings?: readonly { field: string; message: string }[],
) => {
  if (!job) throw new Error('There is no such job any more.');
  const { publicId, salary, managerEmails, version } = job;
  return { input: { jobPublicId: publicId, salary, managerEmails }, version, warnings };
};

function Inputs({ job }: { job: EditedJob }) {
  const environment = useRelayEnvironment();
  const [update] = useMutation<JobsSaveMutation>(graphql`
    mutation JobsSaveMutation($input: UpdateJobInput!, $expectedVersion: Int) {
      updateJob(input: $input, expectedVersion: $expectedVersion) {
        job {
          id
          publicId
          salary
          managerEmails
          version
        }
        warnings {
          field
          message
        }
      }
    }
  `);
  const send = (variables: JobsSaveMutation['variables']) =>
    new Promise<JobsSaveMutation['response']>((onCompleted, onError) =>
      update({ variables, onCompleted, onError }),
    );
  const form = useEdit(() => createEdit(storedIn(job).input, job.version), {
    type: 'UpdateJobInput',
    update: async (variables) => {
      const { updateJob } = await send(variables);
      return storedIn(updateJob?.job, updateJob?.warnings);
    },
    read: async () => {
      const query = fetchQuery<JobsFormQuery>(environment, formQuery, { publicId: job.publicId });
      return storedIn((await query.toPromise())?.job);
    },
  });
  return (
    <form onSubmit={form.save}>
      <Field form={form} name="salary" label="Salary" />
      <Field form={form} name="managerEmails" label="Managers" />
      <button>Save</button>
      <Status form={form} />
    </form>
  );
}
