import { JobsDocument, type JobsQuery } from '../client/src/index.js';
import { callGateway, type Connection, type Outcome } from './call-gateway.js';
import { explainError } from './explain-error.js';

export type ListedJob = NonNullable<JobsQuery['jobs']>['edges'][number]['node'];

/**
 * Yields every job of a media, page by page.
 * @throws Error with a message for the user if the gateway refuses a page
 */
export async function* listJobs(connection: Connection, mediaPublicId: string): AsyncGenerator<ListedJob> {
  let after: string | null = null;
  do {
    const page: Outcome<JobsQuery> = await callGateway(connection, JobsDocument, {
      mediaPublicId,
      first: 50,
      after,
    });
    if (!page.data?.jobs) throw new Error(page.errors.map(explainError).join(' '));
    const { edges, pageInfo } = page.data.jobs;
    yield* edges.map(({ node }) => node);
    after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
  } while (after !== null);
}
