import { ApolloClient, ApolloLink, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { gatewayLink } from '../../schema/client/src/apollo.js';
import { isBrokenConnection } from '../../schema/client/src/broken-connection.js';

const query = gql('{ done }');
const headOfReply = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ';

/** How often the link tries, within a second, a call that this link answers. */
async function triesOf(last: ApolloLink): Promise<number> {
  let tries = 0;
  const counting = new ApolloLink((operation, forward) => {
    tries += 1;
    return forward(operation);
  });
  const client = new ApolloClient({
    link: ApolloLink.from([gatewayLink({ patienceSeconds: 1 }), counting, last]),
    cache: new InMemoryCache(),
  });
  await expect(client.query({ query })).rejects.toThrow();
  return tries;
}

/** A link to a server that sends this for every request, and breaks the connection. */
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

describe('the link of the typed client', () => {
  it.each([
    ['before the reply', ''],
    ['within the reply', `${headOfReply}100\r\n\r\n{`],
  ])('tries again what broke %s', (_when, reply) =>
    linkTo(reply, async (link) => expect(await triesOf(link)).toBeGreaterThan(1)),
  );

  it('tries again where nobody listens', async () => {
    const server = createServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    expect(await triesOf(new HttpLink({ uri: `http://127.0.0.1:${port}` }))).toBeGreaterThan(1);
  });

  it('tries a reply once that is no reply of GraphQL', () =>
    linkTo(`${headOfReply}4\r\n\r\nnull`, async (link) => expect(await triesOf(link)).toBe(1)));

  it.each([
    ['an address that cannot be', new HttpLink({ uri: 'http://' })],
    ['a scheme that cannot be', new HttpLink({ uri: 'gopher://127.0.0.1' })],
    ['a header that cannot be', new HttpLink({ uri: 'http://127.0.0.1', headers: { a: '€' } })],
    [
      'a header that Node does not send',
      new HttpLink({ uri: 'http://127.0.0.1', headers: { upgrade: 'x' } }),
    ],
  ])('tries %s once', async (_what, link) => expect(await triesOf(link)).toBe(1));

  it('tries a later link once that throws, whatever it throws', async () => {
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
  ['fetch failed', false], // Node.js tells the code of the cause when a connection breaks.
])('a TypeError of the words %p is a connection that broke: %p', (words, isBroken) =>
  expect(isBrokenConnection(new TypeError(words))).toBe(isBroken),
);
