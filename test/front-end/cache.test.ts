import { ApolloClient, HttpLink, InMemoryCache, type TypePolicies } from '@apollo/client';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { typePolicies } from '../../schema/client/src/apollo.js';
import {
  CompanyDocument,
  JobDocument,
  JobFormDocument,
  JobHistoryDocument,
  JobsDocument,
  ReferencesDocument,
  UpdateJobDocument,
} from '../../schema/client/src/index.js';
import { ownGateway } from '../support/own-gateway.js';

const gateway = ownGateway({ ARCHIVER: 'off' });
const mediaPublicId = 'demo-media';
const publicId = 'acme-backend-engineer';

async function open(policies?: TypePolicies) {
  const headers = {
    authorization: `Bearer ${await gateway.token({ media: [mediaPublicId, 'other-media'] })}`,
  };
  const requests: unknown[] = [];
  const link = new HttpLink({
    uri: `${gateway.url}/graphql`,
    headers,
    fetch: (url, init) => {
      requests.push(init?.body);
      return fetch(url, init);
    },
  });
  const cache = new InMemoryCache(policies && { typePolicies: policies });
  return { client: new ApolloClient({ link, cache }), requests };
}

let consoles: jest.Spied<typeof console.warn>[];
beforeEach(async () => {
  consoles = (['warn', 'error'] as const).map((name) => jest.spyOn(console, name));
  await gateway.reset();
});
afterEach(() => expect(consoles.flatMap((spy) => spy.mock.calls)).toEqual([]));

describe('the default cache of Apollo Client, without policies', () => {
  it('shows in a list what a mutation has saved, without another request (Contract 4.2.1)', async () => {
    const { client, requests } = await open();
    const list = { query: JobsDocument, variables: { mediaPublicId } };
    const salaries = () =>
      client
        .readQuery(list)
        ?.jobs?.edges.flatMap(({ node }) => (node.publicId === publicId ? [node.salary] : []));
    await client.query(list);
    await client.query({ query: JobDocument, variables: { publicId } });
    const input = { jobPublicId: publicId, salary: '55 000 €' };
    await client.mutate({ mutation: UpdateJobDocument, variables: { input } });
    expect(salaries()).toEqual(['55 000 €']);
    expect(client.readQuery({ query: JobDocument, variables: { publicId } })?.job?.salary).toBe('55 000 €');
    expect(requests).toHaveLength(3);
  });

  it('holds a company as each of its media shows it (Contract 4.2.1)', async () => {
    const other = { media: 'other-media', isPublished: false, isVmePagePublished: false };
    await gateway.models.companies.updateOne({ publicId: 'acme' }, { $push: { memberships: other } });
    const { client } = await open();
    const both = [mediaPublicId, 'other-media'].map((media) => ({
      query: CompanyDocument,
      variables: { mediaPublicId: media, publicId: 'acme' },
    }));
    for (const one of both) await client.query(one);
    expect(both.map((one) => client.readQuery(one)?.company?.isPublished)).toEqual([true, false]);
  });

  it('holds what all documents of the package ask for of one job', async () => {
    const { client } = await open();
    const variables = { publicId };
    for (const query of [JobDocument, JobFormDocument, JobHistoryDocument])
      await client.query({ query, variables });
    await client.query({ query: ReferencesDocument, variables: { kind: 'contract' } });
    const { job } = client.readQuery({ query: JobDocument, variables }) ?? {};
    expect(client.readQuery({ query: JobFormDocument, variables })?.job?.managerEmails).toHaveLength(1);
    expect(job?.contract?.name).toBe('Permanent contract');
  });
});

describe('the policies of the package', () => {
  it('add the next page to the list (Contract 4.3.7)', async () => {
    const { client } = await open(typePolicies);
    const list = { query: JobsDocument, variables: { mediaPublicId, first: 2 } };
    const { data } = await client.query(list);
    const query = client.watchQuery(list);
    const subscription = query.subscribe(() => undefined);
    await query.fetchMore({ variables: { after: data?.jobs?.pageInfo.endCursor } });
    subscription.unsubscribe();
    const shown = client.readQuery(list);
    expect(shown?.jobs?.edges).toHaveLength(4);
  });
});
