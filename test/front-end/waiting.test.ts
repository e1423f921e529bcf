import { describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApolloClient, ApolloLink, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { of } from 'rxjs';
import { gatewayLink, UnreachedGatewayError, type Wait } from '../../schema/client/src/apollo.js';
import { Costs } from '../../schema/client/src/bucket.js';
import { isBrokenConnection } from '../../schema/client/src/broken-connection.js';
import { broken, openToTest, refused, told } from '../support/client-replies.js';
import { freePort } from '../support/process.js';

describe('the link that waits', () => {
  const reason = new Error('the user left');

  async function outcome(call: Promise<unknown>): Promise<{ failure: unknown; afterMs: number }> {
    const startMs = performance.now();
    const failure = await call.then(
      () => null,
      (thrown: unknown) => thrown,
    );
    return { failure, afterMs: performance.now() - startMs };
  }

  describe('a call', () => {
    it('waits while the last reply says the quota is used up (Contract 8.2.4)', async () => {
      const { ask, answer, sent } = openToTest();
      void ask('spends');
      await answer('spends', told(0));
      const startMs = performance.now();
      const waiting = Promise.all([ask('a'), ask('b'), ask('c')]);
      await sleep(800);
      expect(sent).toEqual(['spends']);
      await answer('a', told(2));
      expect(performance.now() - startMs).toBeGreaterThan(950);
      await answer('b', told(1));
      await answer('c', told(0));
      await waiting;
      expect(sent).toEqual(['spends', 'a', 'b', 'c']);
    });

    it('is sent once a later reply says units are left (Contract 8.2.4)', async () => {
      const { ask, answer, sent } = openToTest();
      void ask('slow');
      void ask('spends');
      await answer('spends', told(0, 20));
      void ask('a');
      void ask('b');
      await sleep(20);
      expect(sent).toEqual(['slow', 'spends']);
      await answer('slow', told(5));
      expect(sent).toEqual(['slow', 'spends', 'a', 'b']);
    });

    it('is sent if the last reply leaves more units than calls are in flight (Contract 8.2.4)', async () => {
      const { ask, answer, sent } = openToTest();
      void ask('first');
      await answer('first', told(2, 20));
      for (const name of ['a', 'b', 'c', 'd']) void ask(name);
      await sleep(20);
      expect(sent).toEqual(['first', 'a', 'b']);
      await answer('a', told(1, 20));
      expect(sent).toEqual(['first', 'a', 'b']);
      await answer('b', told(2, 20));
      expect(sent).toEqual(['first', 'a', 'b', 'c', 'd']);
    });

    it('waits until the quota has as many units left as its document cost the last time (Contract 8.2.9)', async () => {
      const { ask, answer, sent } = openToTest();
      void ask('costly');
      await answer('costly', told(40, 20, 50, 30));
      for (const name of ['a', 'b']) void ask(name);
      await sleep(20);
      expect(sent).toEqual(['costly', 'a']);
      await answer('a', told(60, 20, 100, 30));
      expect(sent).toEqual(['costly', 'a', 'b']);
    });

    it('waits until the quota has as many units left as its document cost the last time with its variables (Contract 8.2.9)', async () => {
      const { ask, answer, sent } = openToTest();
      void ask('costly');
      await answer('costly', told(40, 20, 50, 30));
      void ask('cheap');
      await answer('cheap', told(20, 20, 50, 1));
      for (const name of ['costly', 'cheap', 'new']) void ask(name);
      await sleep(20);
      expect(sent).toEqual(['costly', 'cheap', 'cheap', 'new']);
    });

    it('waits for the next window if the quota has units left, but too few (Contract 8.2.9)', async () => {
      const { ask, answer, sent } = openToTest();
      void ask('costly');
      await answer('costly', refused(1, 20, 30));
      await sleep(500);
      expect(sent).toEqual(['costly']);
      await answer('costly', told(20, 1, 50, 30));
      expect(sent).toEqual(['costly', 'costly']);
    });

    it('is sent if it costs more than the whole quota, which the gateway refuses (Contract 8.2.10)', async () => {
      const { ask, answer, sent } = openToTest();
      void ask('too costly');
      await answer('too costly', told(10, 20, 10, 30));
      void ask('again');
      await sleep(20);
      expect(sent).toEqual(['too costly', 'again']);
    });

    it('is sent once the quota is full again, within the limit, even if no earlier call is answered (Contract 8.2.4)', async () => {
      const { ask, answer, sent } = openToTest();
      void ask('spends');
      await answer('spends', told(0, 1, 2));
      for (const name of ['a', 'b', 'c', 'd', 'e']) void ask(name);
      await sleep(1_200);
      expect(sent).toEqual(['spends', 'a', 'b']);
      await sleep(1_000);
      expect(sent).toEqual(['spends', 'a', 'b', 'c', 'd']);
    });

    it('releases the next call if it ends without a reply (Contract 8.2.4)', async () => {
      const { ask, answer, sent } = openToTest();
      void ask('first');
      await answer('first', told(1, 20));
      const leaving = new AbortController();
      const left = outcome(ask('left', leaving.signal));
      const broke = outcome(ask('broke'));
      void ask('last');
      await sleep(20);
      expect(sent).toEqual(['first', 'left']);
      leaving.abort(reason);
      expect((await left).failure).toBe(reason);
      expect(sent).toEqual(['first', 'left', 'broke']);
      await answer('broke', new Error('no connection that broke'));
      expect((await broke).failure).toMatchObject({ message: 'no connection that broke' });
      expect(sent).toEqual(['first', 'left', 'broke', 'last']);
    });

    it('is sent again before later calls if refused (Contract 8.2.4)', async () => {
      const { ask, answer, sent } = openToTest();
      void ask('refused');
      void ask('under way');
      await answer('under way', told(0));
      void ask('later');
      await answer('refused', refused());
      expect(sent).toEqual(['refused', 'under way']);
      await answer('refused', told(1));
      expect(sent).toEqual(['refused', 'under way', 'refused', 'later']);
    });

    it('waits as long as the proxy says if the gateway is down', async () => {
      const { ask, answer, sent } = openToTest();
      const asked = outcome(ask('asked'));
      const page = { 'content-type': 'text/html', 'retry-after': '1' };
      await answer('asked', new Response('<html>', { status: 503, headers: page }));
      await sleep(700);
      expect(sent).toEqual(['asked']);
      await answer('asked', told(1));
      expect(await asked).toMatchObject({ failure: null });
      expect(sent).toEqual(['asked', 'asked']);
    });

    it('is never overtaken by a later call if both are mutations, even if calls between them are aborted', async () => {
      const { ask, save, answer, sent } = openToTest();
      void ask('reaches');
      await answer('reaches', told(5));
      sent.length = 0;
      const leaving = new AbortController();
      await outcome(save('gone before', AbortSignal.abort(reason)));
      void save('first');
      await sleep(20);
      expect(sent).toEqual(['first']);
      const left = outcome(save('left', leaving.signal));
      void save('last');
      leaving.abort(reason);
      expect((await left).failure).toBe(reason);
      await answer('first', broken());
      expect(sent).toEqual(['first']);
      await answer('first', told(0));
      expect(sent).toEqual(['first', 'first']);
      await answer('last', told(1));
      expect(sent).toEqual(['first', 'first', 'last']);
    });

    it('stops waiting for an unanswered mutation when the patience of that mutation ends', async () => {
      const { save, answer, sent } = openToTest({ patienceSeconds: 0.3 });
      void save('never answered');
      const saved = outcome(save('next'));
      await sleep(200);
      expect(sent).toEqual(['never answered']);
      await answer('next', told(1));
      expect(await saved).toMatchObject({ failure: null });
    });

    it('ends at once when its signal aborts', async () => {
      const { ask, answer, sent } = openToTest();
      void ask('spends');
      await answer('spends', told(0, 20));
      const held = outcome(ask('held', AbortSignal.timeout(100)));
      const gone = outcome(ask('gone before', AbortSignal.abort(reason)));
      expect(await held).toMatchObject({ failure: { name: 'TimeoutError' } });
      expect((await held).afterMs).toBeLessThan(500);
      expect((await gone).failure).toBe(reason);
      expect(sent).toEqual(['spends']);
    });

    it('ends at once when its signal aborts while the call waits for a retry or is in flight', async () => {
      const { ask, answer, sent } = openToTest();
      const leaving = new AbortController();
      const again = outcome(ask('again', leaving.signal));
      const underWay = outcome(ask('under way', leaving.signal));
      await answer('again', refused(20));
      leaving.abort(reason);
      expect([(await again).failure, (await underWay).failure]).toEqual([reason, reason]);
      expect((await again).afterMs).toBeLessThan(500);
      expect(sent).toEqual(['again', 'under way']);
    });

    it('ends its wait and its request when nobody subscribes to it any more', async () => {
      const { watch, ask, answer, sent, aborted } = openToTest();
      void ask('first');
      await answer('first', told(1, 20));
      const [underWay, held] = [watch('under way'), watch('held')];
      void ask('last');
      await sleep(20);
      held.unsubscribe();
      underWay.unsubscribe();
      await sleep(20);
      expect(aborted).toEqual(['under way']);
      expect(sent).toEqual(['first', 'under way', 'last']);
    });

    it('says which operation waits, for how long and why, and which request follows', async () => {
      const waits: Omit<Wait, 'operationName'>[] = [];
      const { ask, answer } = openToTest({
        onWait: ({ operationName, ...wait }) => {
          expect(operationName).toBe('Done');
          waits.push(wait);
        },
      });
      const asked = ask('asked');
      const about = (ms: number): unknown => expect.closeTo(ms, -2.4);
      await answer('asked', told(0));
      await asked;

      const held = ask('held');
      await sleep(20);
      expect(waits).toEqual([{ reason: 'quota', forMs: about(1_000), attempt: 1 }]);
      await answer('held', refused());
      expect(waits[1]).toEqual({ reason: 'quota', forMs: about(1_000), attempt: 2 });
      await answer('held', new Response('<html>', { status: 503, headers: { 'retry-after': '1' } }));
      expect(waits[2]).toEqual({ reason: 'busy', forMs: 1_000, attempt: 3 });
      await answer('held', broken());
      expect(waits[3]).toEqual({ reason: 'unreachable', forMs: expect.any(Number), attempt: 4 });
      await answer('held', told(5));
      await held;
      expect(waits).toHaveLength(4);
    });

    it('says that each of its waits is over: when a request is sent, another wait follows, or the call ends', async () => {
      const events: [string, Wait][] = [];
      const { ask, watch, answer } = openToTest({
        onWait: (wait) => events.push(['waits', wait]),
        onWaitEnd: (wait) => events.push(['ends', wait]),
      });
      const seen = () => events.splice(0).map(([event, { reason, attempt }]) => [event, reason, attempt]);
      const asked = ask('asked');
      await answer('asked', told(0));
      await asked;
      expect(seen()).toEqual([]);

      const held = ask('held');
      await sleep(20);
      const [begun] = events;
      await answer('held', refused());
      const [, ended] = events;
      expect([begun?.[0], ended?.[0]]).toEqual(['waits', 'ends']);
      expect(ended?.[1]).toBe(begun?.[1]);
      expect(seen().slice(2)).toEqual([['waits', 'quota', 2]]);
      await answer('held', told(0, 20));
      await held;
      expect(seen()).toEqual([['ends', 'quota', 2]]);

      const left = new AbortController();
      const aborted = outcome(ask('aborted', left.signal));
      const unsubscribed = watch('unsubscribed');
      await sleep(20);
      expect(seen()).toEqual([
        ['waits', 'quota', 1],
        ['waits', 'quota', 1],
      ]);
      left.abort(reason);
      unsubscribed.unsubscribe();
      await aborted;
      await sleep(20);
      expect(seen()).toEqual([
        ['ends', 'quota', 1],
        ['ends', 'quota', 1],
      ]);
    });

    it('says that it waits only after its subscription, so that a component of React may set state', async () => {
      const waits: Wait[] = [];
      const spends = {
        data: { done: true },
        extensions: { rateLimit: { limit: 1, remaining: 0, resetSeconds: 20 } },
      };
      const link = gatewayLink({ onWait: (wait) => waits.push(wait) }).concat(
        new ApolloLink(() => of(spends)),
      );
      const client = new ApolloClient({ link, cache: new InMemoryCache() });
      const start = () => ApolloLink.execute(link, { query: gql('{ done }') }, { client }).subscribe();
      start();
      const held = start();
      expect(waits).toEqual([]);
      await Promise.resolve();
      expect(waits).toHaveLength(1);
      held.unsubscribe();
    });

    // The end of a window moves with each reply, and a timer can be early by a fraction of a millisecond.
    it('says so again, and once, if the quota is spent by earlier calls when it is full again', async () => {
      const waitsOf = async (lateMs: number): Promise<Wait[]> => {
        const waits: Wait[] = [];
        const { ask, answer } = openToTest({ onWait: (wait) => waits.push(wait) });
        void ask('spends');
        await answer('spends', told(0, 1, 1));
        void ask('a');
        const last = ask('last');
        await sleep(1_005);
        for (const fromMs = performance.now(); performance.now() < fromMs + lateMs;);
        await answer('a', told(0, 1, 1));
        await answer('last', told(1, 1, 1));
        await last;
        return waits;
      };
      const wait = { operationName: 'Done', reason: 'quota', forMs: expect.any(Number), attempt: 1 };
      for (const waits of await Promise.all([0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9].map(waitsOf)))
        expect(waits).toEqual([wait, wait, wait]);
    });
  });
});

describe('the costs that the link keeps', () => {
  it('are those of the last 50 variables of a document, and its last cost for any others', () => {
    const costs = new Costs();
    const document = gql('{ done }');
    for (let units = 1; units <= 51; units += 1) costs.note(document, `${units}`, units);
    costs.note(document, '3', 3);
    expect(['1', '2', '3', 'new'].map((variables) => costs.expected(document, variables))).toEqual([
      3, 2, 3, 3,
    ]);
    expect(costs.expected(gql('{ other }'), '2')).toBe(1);
  });
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

    it('does not retry when a later link throws, whatever the error', async () => {
      const faulty = new ApolloLink(() => {
        throw new TypeError('Failed to fetch');
      });
      expect(await triesOf(faulty)).toBe(1);
    });
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
