import { useQuery } from '@apollo/client/react';
import { JobsDocument } from 'recruitment-gateway-client';
import { useState } from 'react';

interface Props {
  media: string;
  onOpen: (job: { publicId: string; viewerCanUpdate: boolean }) => void;
}

export function JobList({ media, onOpen }: Props) {
  const [name, setName] = useState('');
  const { data, error, loading, fetchMore } = useQuery(JobsDocument, {
    variables: { mediaPublicId: media, filter: name ? { name } : null, first: 20, withTotalCount: true },
    // Read again whenever the list is shown: a job may be new, or have left the filter.
    fetchPolicy: 'cache-and-network',
    notifyOnNetworkStatusChange: true,
  });
  const jobs = data?.jobs;
  return (
    <>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          setName(String(new FormData(event.currentTarget).get('name')));
        }}
      >
        <input name="name" aria-label="Name" /> <button>Search</button>
      </form>
      <p role="status">{error?.message ?? (loading ? 'Loading …' : `Jobs: ${jobs?.totalCount ?? 'many'}`)}</p>
      <ul>
        {jobs?.edges.map(({ node }) => (
          <li key={node.id}>
            <button onClick={() => onOpen(node)}>{node.name}</button>, {node.salary}
          </li>
        ))}
      </ul>
      {jobs?.pageInfo.hasNextPage && (
        <button
          onClick={() => fetchMore({ variables: { after: jobs.pageInfo.endCursor, withTotalCount: false } })}
        >
          More
        </button>
      )}
    </>
  );
}
