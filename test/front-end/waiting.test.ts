import { describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApolloClient, ApolloLink, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { config as rxjs, of } from 'rxjs';
import { gatewayLink, UnreachedGatewayError, type Wait } from '../../schema/client/src/apollo.js';
import { isBrokenConnection } from '../../schema/client/src/broken-connection.js';
import { waitBeforeRetry } from '../../schema/client/src/wait-before-retry.js';
import { answered, broken, openToTest, refused } from '../support/client-replies.js';
import { freePort } from '../support/process.js';

describe('the link that waits', () => {
  const reason = new Error('the user left');
  const raise = (thrown: Error): never => {
    throw thrown;
  };

  async function outcome(call: Promise<unknown>): Promise<{ failure: unknown; afterMs: number }> {
    const startMs = performance.now();
    const failure = await call.then(
      () => null,
      (thrown: unknown) => thrown,
    );
    return { failure, afterMs: performance.now() - startMs };
  }

  describe('a call', () => {
    it('is sent again as long after a refusal as the gateway says (Contract 8.1.2)', async () => {
      const { ask, answer, sent } = openToTest();
      const asked = outcome(ask('asked'));
      await answer('asked', refused(1));
      await sleep(800);
      expect(sent).toEqual(['asked']);
      await answer('asked', answered());
      expect(await asked).toMatchObject({ failure: null });
      expect(sent).toEqual(['asked', 'asked']);
    });

    it('is sent again as long after a refusal as the proxy says if the gateway is down', async () => {
      const { ask, answer, sent } = openToTest();
      const asked = outcome(ask('asked'));
      const page = { 'content-type': 'text/html', 'retry-after': '1' };
      await answer('asked', new Response('<html>', { status: 503, headers: page }));
      await sleep(700);
      expect(sent).toEqual(['asked']);
      await answer('asked', answered());
      expect(await asked).toMatchObject({ failure: null });
      expect(sent).toEqual(['asked', 'asked']);
    });

    it('ends at once when its signal aborts while the call waits for a retry or is in flight', async () => {
      const { ask, answer, sent } = openToTest();
      const leaving = new AbortController();
      const again = outcome(ask('again', leaving.signal));
      const underWay = outcome(ask('under way', leaving.signal));
      const gone = outcome(ask('gone before', AbortSignal.abort(reason)));
      await answer('again', refused(20));
      leaving.abort(reason);
      expect([(await again).failure, (await underWay).failure]).toEqual([reason, reason]);
      expect((await again).afterMs).toBeLessThan(500);
      expect((await gone).failure).toBe(reason);
      expect(sent).toEqual(['again', 'under way']);
    });

    it('ends its wait and its request when nobody subscribes to it any more', async () => {
      const { watch, answer, sent, aborted } = openToTest();
      const [waiting, underWay] = [watch('waiting'), watch('under way')];
      await answer('waiting', refused(1));
      waiting.unsubscribe();
      underWay.unsubscribe();
      await sleep(1_100);
      expect(aborted).toContain('under way');
      expect(sent).toEqual(['waiting', 'under way']);
    });

    it('is sent again though onWait throws, whose error is reported as one that nobody catches', async () => {
      const reported: unknown[] = [];
      rxjs.onUnhandledError = (thrown) => void reported.push(thrown);
      try {
        const { ask, answer } = openToTest({ onWait: () => raise(reason) });
        const asked = outcome(ask('asked'));
        await answer('asked', refused(0));
        await answer('asked', answered());
        expect(await asked).toMatchObject({ failure: null });
        expect(reported).toEqual([reason]);
      } finally {
        rxjs.onUnhandledError = null;
      }
    });

    it('says which operation waits, for how long and why, and which request follows', async () => {
      const waits: Wait[] = [];
      const { ask, answer } = openToTest({ onWait: (wait) => waits.push(wait) });
      const asked = ask('asked');
      await answer('asked', refused(0));
      await answer('asked', new Response('<html>', { status: 503, headers: { 'retry-after': '0' } }));
      await answer('asked', broken());
      await answer('asked', answered());
      await asked;
      const forMs = expect.any(Number);
      expect(waits).toEqual([
        { operationName: 'Done', reason: 'quota', forMs, attempt: 2 },
        { operationName: 'Done', reason: 'busy', forMs, attempt: 3 },
        { operationName: 'Done', reason: 'unreachable', forMs, attempt: 4 },
      ]);
    });
  });
});

describe('waitBeforeRetry', () => {
  const error = (code: string) => ({ message: 'Told.', extensions: { error: code, status: 429 } });
  const limited = { errors: [error('rate-limit-exceeded')], extensions: { retryAfterSeconds: 2 } };
  const headers = new Headers({ 'retry-after': '2' });
  function expectWithin(waitMs: number | null, leastMs: number, mostMs: number): void {
    expect(waitMs).toBeGreaterThanOrEqual(leastMs);
    expect(waitMs).toBeLessThanOrEqual(mostMs);
  }

  it.each([
    ['a refusal of fetch', limited],
    ['ClientError of graphql-request', { response: { ...limited, headers, status: 200 } }],
    ['CombinedError of urql', { graphQLErrors: limited.errors, response: { headers, status: 429 } }],
    ['the page of a proxy', { response: { headers, status: 503 } }],
  ])(
    'is what the reply says and a little more, not the same for all, and backs off if that was too short: %s (Contract 8.1.2)',
    (_client, failure) => {
      expectWithin(waitBeforeRetry(failure, 1), 2_125, 2_250);
      const waits = Array.from({ length: 9 }, () => waitBeforeRetry(failure, 1));
      expect(new Set(waits).size).toBeGreaterThan(1);
      expectWithin(waitBeforeRetry(failure, 3), 2_500, 3_000);
    },
  );

  it.each([
    ['a connection of fetch that broke', broken()],
    ['a connection of urql that broke', { networkError: broken(), graphQLErrors: [] }],
    ['a refusal without a time', { errors: [error('service-unavailable')] }],
  ])('doubles up to 5 s after %s', (_what, failure) => {
    expectWithin(waitBeforeRetry(failure, 1), 125, 250);
    expectWithin(waitBeforeRetry(failure, 2), 250, 500);
    expectWithin(waitBeforeRetry(failure, 50), 2_500, 5_000);
  });

  it.each([null, {}, { data: {} }, new Error('a bug'), { errors: [error('validation-failed')] }])(
    'is null for %p',
    (failure) => expect(waitBeforeRetry(failure, 1)).toBeNull(),
  );
});

describe('broken connections', () => {
  const query = gql('{ done }');
  const headOfReply = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ';

  /** How often the link tries a call after a first reply; `last` is the terminating link. */
  async function triesOf(last: ApolloLink): Promise<number> {
    let tries = -1;
    const counting = new ApolloLink((operation, forward) =>
      (tries += 1) === 0 ? of({ data: { done: true } }) : forward(operation),
    );
    const client = new ApolloClient({
      link: ApolloLink.from([gatewayLink({ patienceSeconds: 1 }), counting, last]),
      cache: new InMemoryCache(),
    });
    await client.query({ query });
    await expect(client.query({ query, fetchPolicy: 'network-only' })).rejects.toThrow();
    return tries;
  }

  async function linkTo(reply: string, use: (link: HttpLink) => Promise<void>): Promise<void> {
    const server = createServer((socket) => {
      socket.on('error', () => undefined).once('data', () => socket.end(reply));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    try {
      await use(new HttpLink({ uri: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }));
    } finally {
      server.close();
    }
  }

  describe('the link', () => {
    it.each([
      ['before the reply', ''],
      ['within the reply', `${headOfReply}100\r\n\r\n{`],
    ])('retries a call whose connection broke %s', (_when, reply) =>
      linkTo(reply, async (link) => expect(await triesOf(link)).toBeGreaterThan(1)),
    );

    it('retries a call when nothing listens on the port', async () => {
      expect(await triesOf(new HttpLink({ uri: `http://127.0.0.1:${await freePort()}` }))).toBeGreaterThan(1);
    });

    it('fails at once, and says what to check, if no call has reached the gateway yet', async () => {
      const waits: Wait[] = [];
      const link = ApolloLink.from([
        gatewayLink({ onWait: (wait) => waits.push(wait) }),
        new HttpLink({ uri: `http://127.0.0.1:${await freePort()}` }),
      ]);
      const client = new ApolloClient({ link, cache: new InMemoryCache() });
      const mutation = gql('mutation ($idempotencyKey: String) { done(idempotencyKey: $idempotencyKey) }');
      for (const call of [client.query({ query }), client.mutate({ mutation })]) {
        const failure: unknown = await call.catch((thrown: unknown) => thrown);
        expect(failure).toBeInstanceOf(UnreachedGatewayError);
        expect((failure as Error).message).toMatch(
          /^The first call did not reach the gateway \(ECONNREFUSED\)\. Check\n- the address: .*\n- the certificate: .*$/,
        );
      }
      expect(waits).toEqual([]);
    });

    it('does not retry if the reply is not GraphQL', () =>
      linkTo(`${headOfReply}4\r\n\r\nnull`, async (link) => expect(await triesOf(link)).toBe(1)));

    it.each([
      ['an invalid URL', new HttpLink({ uri: 'http://' })],
      ['an unsupported URL scheme', new HttpLink({ uri: 'gopher://127.0.0.1' })],
      ['an invalid header value', new HttpLink({ uri: 'http://127.0.0.1', headers: { a: '€' } })],
      [
        'a header that Node does not send',
        new HttpLink({ uri: 'http://127.0.0.1', headers: { upgrade: 'x' } }),
      ],
    ])('does not retry a call with %s', async (_what, link) => expect(await triesOf(link)).toBe(1));
  });

  it.each([
    ['Failed to fetch', true], // Chromium
    ['network error', true], // Chromium, within a reply
    ['NetworkError when attempting to fetch resource.', true], // Firefox
    ['Load failed', true], // Safari
    ["Failed to execute 'fetch' on 'Window': Failed to parse URL from nope", false],
    ["Cannot read properties of null (reading 'data')", false],
    ['fetch failed', false], // For a broken connection, Node.js adds a cause with a code.
  ])('a TypeError with the message %p is a broken connection: %p', (words, isBroken) =>
    expect(isBrokenConnection(new TypeError(words))).toBe(isBroken),
  );
});
