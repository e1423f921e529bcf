import { beforeAll, describe, expect, it } from '@jest/globals';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { inLargerPieces } from '../../src/http/gather.js';
import { ownGateway } from '../support/own-gateway.js';

const gateway = ownGateway();
let token: string;
beforeAll(async () => void (token = await gateway.token()));

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Each byte as an HTTP chunk of its own. */
const inChunks = (text: string) => [...text].map((byte) => `1\r\n${byte}\r\n`).join('');

/** Sends the beginning of a request, and waits until the gateway has read it. */
async function send(path: string, contentType: string, body: string) {
  const { hostname, port } = new URL(gateway.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  const method = path === '/companies' ? 'PATCH' : 'POST';
  const head = [
    `${method} ${path} HTTP/1.1`,
    'Host: gateway',
    `Authorization: Bearer ${token}`,
    'Apollo-Require-Preflight: yes',
    `Content-Type: ${contentType}`,
    'Transfer-Encoding: chunked',
  ];
  await new Promise((resolve) => socket.write(`${head.join('\r\n')}\r\n\r\n${inChunks(body)}`, resolve));
  await sleep(200);
  await (await fetch(`${gateway.url}/health`)).text();
  return socket;
}

const multipart = 'multipart/form-data; boundary=x';
const part = (name: string) => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n`;
const filler = 'a'.repeat(200_000);

describe('a body in chunks of a byte', () => {
  it.each([
    ['JSON over GraphQL', '/graphql', 'application/json', filler],
    ['the operations over GraphQL', '/graphql', multipart, `${part('operations')}${filler}`],
    ['bytes before the operations over GraphQL', '/graphql', multipart, filler],
    ['a form over REST', '/companies', 'application/x-www-form-urlencoded', filler],
    ['a field over REST', '/companies', multipart, `${part('name')}${filler}`],
  ])(
    'holds no more memory than its bytes take while it comes: %s (Contract 8.6.2)',
    async (_what, path, contentType, body) => {
      collectGarbage();
      const before = process.memoryUsage().heapUsed;
      const socket = await send(path, contentType, body);
      collectGarbage();
      const addedMib = (process.memoryUsage().heapUsed - before) / 2 ** 20;
      socket.destroy();
      expect(addedMib).toBeLessThan(10);
    },
  );
});

it.each([
  ['/graphql', 'POST'],
  ['/companies', 'PATCH'],
])(
  'a multipart body whose boundary would take seconds to look for is refused: %s (Contract 8.6.6, 8.6.11)',
  async (path, method) => {
    const boundary = 'a'.repeat(15_000);
    const response = await fetch(`${gateway.url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        'apollo-require-preflight': 'yes',
        'content-type': `multipart/form-data; boundary=${boundary}`,
      },
      body: `--${boundary}--\r\n`,
    });
    expect([response.status, await response.text()]).toEqual([
      400,
      expect.stringContaining('its Content-Type has more than 200 characters'),
    ]);
  },
);

it('small pieces are joined, large ones are passed on, and the last one comes at the end', async () => {
  const joining = inLargerPieces();
  const pieces: string[] = [];
  joining.on('data', (piece: Buffer) => pieces.push(piece.toString()));
  const sent = [...'a'.repeat(600), 'b'.repeat(2_000), 'c'.repeat(3_000), 'd'];
  for (const piece of sent) joining.write(piece);
  await new Promise((resolve) => joining.end(resolve));
  await sleep(0);
  expect(pieces.map(({ length }) => length)).toEqual([512, 2_088, 3_000, 1]);
  expect(pieces.join('')).toBe(sent.join(''));
});
