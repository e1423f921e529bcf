import { beforeEach, describe, expect, it } from '@jest/globals';
import { ApolloClient, ApolloLink, HttpLink, InMemoryCache } from '@apollo/client';
import { followChanges, gatewayLink } from '../../schema/client/src/apollo.js';
import { refusalOf } from '../support/client-replies.js';
import { ownGateway } from '../support/own-gateway.js';
import { rest } from '../support/requests.js';
import { letSettle, settle } from '../support/settle.js';

const media = 'demo-media';
const gateway = ownGateway({ ARCHIVER: 'off', READ_QUOTA: '4/1s' });
beforeEach(async () => {
  await gateway.reset();
  // A job past its lifetime would be listed twice.
  await gateway.models.jobs.updateOne({ publicId: 'acme-night-guard' }, { state: 'archived' });
  await settle(gateway);
});

let requests: number;
const counting: typeof fetch = (...given) => {
  requests += 1;
  return fetch(...given);
};
const connect = async (...links: ApolloLink[]) => {
  requests = 0;
  const headers = { authorization: `Bearer ${await gateway.token()}` };
  const http = new HttpLink({ uri: `${gateway.url}/graphql`, headers, fetch: counting });
  return new ApolloClient({ link: ApolloLink.from([...links, http]), cache: new InMemoryCache() });
};
const stored = async () => {
  const jobs = await gateway.models.jobs.find({ media }).lean();
  const companies = await gateway.models.companies.find({ 'memberships.media': media }).lean();
  return [...jobs, ...companies].map(({ publicId, version }) => `${publicId} ${version}`).sort();
};

describe('followChanges', () => {
  it.each([
    ['the client’s link', () => [gatewayLink()]],
    ['only HttpLink', () => []],
  ])(
    'with %s: reads every page, waits for the quota, continues with later changes, and ends when its signal aborts (Contract 4.6.1, 8.1.2)',
    async (_links, links) => {
      const ending = new AbortController();
      const { signal } = ending;
      const expected = await stored();
      const client = await connect(...links());
      const pages = followChanges(client, { media, first: 1, idleSeconds: 0.5, signal });
      const seen: string[] = [];
      let count = 0;
      for (; seen.length < expected.length; count += 1) {
        const { value } = await pages.next();
        seen.push(...(value?.changes ?? []).map(({ publicId, version }) => `${publicId} ${version}`));
      }
      expect(seen.sort()).toEqual(expected);
      expect(count).toBeGreaterThan(4);
      expect(requests).toBeGreaterThan(count);

      const next = pages.next();
      const input = { json: { media_public_id: media, company_public_id: 'acme', salary: '1 €' } };
      await rest(gateway, 'PATCH', '/jobs/acme-backend-engineer', input, { token: await gateway.token() });
      await letSettle(gateway);
      expect((await next).value?.changes).toMatchObject([{ publicId: 'acme-backend-engineer', version: 2 }]);

      const last = pages.next();
      const startMs = performance.now();
      ending.abort();
      expect(await last).toEqual({ value: undefined, done: true });
      expect(performance.now() - startMs).toBeLessThan(400);
    },
  );

  it('continues after the cursor of any page, and ends if its signal aborts while it waits (Contract 4.6.4)', async () => {
    const client = await connect(gatewayLink());
    const [, ...rest] = await stored();
    const { value: one } = await followChanges(client, { media, first: 1 }).next();
    const { value: others } = await followChanges(client, { media, after: one?.after }).next();
    expect(others?.changes).toHaveLength(rest.length);
    expect(others?.changes).not.toContainEqual(one?.changes[0]);
    const after = others?.after;
    const signal = AbortSignal.timeout(300);
    expect(await followChanges(client, { media, after, signal }).next()).toMatchObject({ done: true });
  });

  it('yields an empty page when the gateway renews the cursor (Contract 4.6.4)', async () => {
    const client = await connect(gatewayLink());
    const { value } = await followChanges(client, { media }).next();
    const parts = JSON.parse(Buffer.from(value?.after ?? '', 'base64url').toString()) as unknown[];
    parts[1] = Number(parts[1]) - 3;
    const after = Buffer.from(JSON.stringify(parts)).toString('base64url');
    expect((await followChanges(client, { media, after }).next()).value).toEqual({
      changes: [],
      after: value?.after,
    });
  });

  it('throws the refusal of an invalid cursor (Contract 4.6.4)', async () => {
    const client = await connect(gatewayLink());
    const refusal = await refusalOf(followChanges(client, { media, after: 'bm9uZQ' }).next());
    expect(refusal).toMatchObject({ error: 'validation-failed', fields: [{ code: 'after-format-error' }] });
  });
});
