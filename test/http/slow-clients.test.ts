import { beforeAll, describe, expect, it } from '@jest/globals';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { catalogue } from '../../src/errors/catalogue.js';
import { ownGateway } from '../support/own-gateway.js';
import { until } from '../support/until.js';

const requestTimeoutMs = 600;
/** Nothing else would ever end these connections, so the bound is wide enough for a busy machine. */
const cutOffMs = 20 * requestTimeoutMs;
const gateway = ownGateway({
  REQUEST_TIMEOUT: `${requestTimeoutMs}ms`,
  BODY_MAX_SIZE: '64KiB',
  LOGO_MAX_SIZE: '256KiB',
  MUTATION_QUOTA: '100000/1s',
});
let token: string;
beforeAll(async () => void (token = await gateway.token()));

interface Client {
  socket: Socket;
  /** What has come back so far. */
  received(): string;
  sentBytes(): number;
  /** Milliseconds until the gateway has ended the connection. */
  ended: Promise<number>;
}

function open({ url }: { url: string } = gateway): Client {
  const { hostname, port } = new URL(url);
  const startedAtMs = performance.now();
  const socket = connect(Number(port), hostname);
  let received = '';
  socket.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')));
  socket.on('error', () => undefined);
  const ended = new Promise<number>((resolve) =>
    socket.once('close', () => resolve(performance.now() - startedAtMs)),
  );
  return { socket, received: () => received, sentBytes: () => socket.bytesWritten, ended };
}

/** Sends a piece every so often until the connection is over. */
async function trickle({ socket }: Client, piece: string | Buffer, everyMs: number): Promise<void> {
  while (!socket.destroyed && socket.writable) {
    socket.write(piece);
    await sleep(everyMs);
  }
}

/** Sends as fast as the gateway takes it. */
async function flood({ socket, ended }: Client, piece: Buffer, mostBytes: number): Promise<void> {
  while (!socket.destroyed && socket.writable && socket.bytesWritten < mostBytes) {
    if (!socket.write(piece))
      await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), ended]);
  }
}

const head = (method: string, path: string, headers: Record<string, string>): string =>
  `${method} ${path} HTTP/1.1\r\nHost: gateway\r\n${Object.entries({
    Authorization: `Bearer ${token}`,
    ...headers,
  })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`;

const chunk = (bytes: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);

const doors: [string, string, string, Record<string, string>][] = [
  ['JSON over GraphQL', 'POST', '/graphql', { 'Content-Type': 'application/json' }],
  [
    'multipart over GraphQL',
    'POST',
    '/graphql',
    { 'Content-Type': 'multipart/form-data; boundary=x', 'Apollo-Require-Preflight': 'yes' },
  ],
  ['a form over REST', 'PATCH', '/companies', { 'Content-Type': 'application/x-www-form-urlencoded' }],
  ['JSON over REST', 'POST', '/jobs/acme-backend-engineer', { 'Content-Type': 'application/json' }],
  ['multipart over REST', 'PATCH', '/companies', { 'Content-Type': 'multipart/form-data; boundary=x' }],
  ['a body that nothing asks for', 'GET', '/health', { 'Content-Type': 'application/json' }],
];

/** The labels of requests that no route has seen, and that were too slow. */
const unknown = 'method="other",route="none",status="503"';

/** How many requests of these labels the gateway has measured. */
const countOf = (labels: string) => valueOf(`gateway_request_duration_seconds_count{${labels}}`);

async function valueOf(series: string): Promise<number> {
  const metrics = await (await fetch(`${gateway.url}/metrics`)).text();
  const line = metrics.split('\n').find((text) => text.startsWith(`${series} `));
  return Number(line?.slice(series.length + 1) ?? 0);
}

describe('a client that is too slow is cut off (Contract 8.6.3)', () => {
  it('when it sends its headers a byte at a time (Contract 8.6.2)', async () => {
    const before = await countOf(unknown);
    const client = open();
    client.socket.write('GET /health HTTP/1.1\r\nHost: gateway\r\n');
    void trickle(client, 'X', 30);
    expect(await client.ended).toBeLessThan(cutOffMs);
    expect(client.received()).toMatch(/^HTTP\/1\.1 503 [^]*\r\nretry-after: 1\r\n/i);
    expect(await countOf(unknown)).toBe(before + 1);
  });

  it('when it opens a connection and says nothing, which is measured as no request (Contract 8.6.2, 11.6)', async () => {
    const before = await countOf(unknown);
    const client = open();
    expect(await client.ended).toBeLessThan(cutOffMs);
    expect(client.received()).toMatch(/^HTTP\/1\.1 503 [^]*"service-unavailable"/);
    expect(await countOf(unknown)).toBe(before);
  });

  it.each([
    ['/graphql', 'POST', 'its body stops', 503],
    ['/graphql', 'POST', 'its chunks cannot be read', 400],
    ['/jobs/acme-backend-engineer', 'POST', 'its body stops', 503],
    ['/companies', 'PATCH', 'its chunks cannot be read', 400],
  ] as const)(
    'or sends what cannot be read, and is told so by %s %s as of any refusal where %s (Contract 7.2.1, 7.7, 7.8, 8.6.7, 11.6)',
    async (path, method, how, status) => {
      const code = status === 503 ? 'service-unavailable' : 'body-format-error';
      const route = path.replace('acme-backend-engineer', ':jobPublicId');
      const series = `method="${method}",route="${route}",status="${status}"`;
      const before = await countOf(series);
      const client = open();
      const sent = { 'Content-Type': 'application/json', 'Accept-Language': 'fr', 'X-Request-Id': 'slow-2' };
      if (how === 'its body stops')
        client.socket.write(`${head(method, path, { ...sent, 'Content-Length': '100' })}{"query"`);
      else client.socket.write(`${head(method, path, { ...sent, 'Transfer-Encoding': 'chunked' })}none\r\n`);
      expect(await client.ended).toBeLessThan(cutOffMs);
      const [top = '', body = ''] = client.received().split('\r\n\r\n');
      const [line, ...rest] = top.toLowerCase().split('\r\n');
      expect(line).toMatch(`http/1.1 ${status} `);
      expect(rest).toEqual(
        expect.arrayContaining([
          'x-request-id: slow-2',
          'cache-control: private, no-store',
          'content-type: application/json; charset=utf-8',
          'connection: close',
          ...(status === 503 ? ['retry-after: 1'] : []),
        ]),
      );
      const message = Buffer.from(catalogue[code].message.fr).toString('latin1');
      expect(JSON.parse(body)).toEqual(
        path === '/graphql'
          ? expect.objectContaining({
              errors: [
                {
                  message,
                  extensions: {
                    code: catalogue[code].graphqlCode,
                    error: code,
                    status,
                    requestId: 'slow-2',
                  },
                },
              ],
            })
          : { status, error: code, errorMessage: message },
      );
      await until(async () => (await countOf(series)) === before + 1);
      expect(await countOf(series)).toBe(before + 1);
    },
  );

  it('but not when it is silent after a reply, for 65 s', async () => {
    const client = open();
    client.socket.write(head('GET', '/health', {}));
    await sleep(4 * requestTimeoutMs);
    expect(client.received()).toMatch(/^HTTP\/1\.1 200 [^]*\r\nKeep-Alive: timeout=65\r\n/i);
    expect(client.socket.readyState).toBe('open');
    client.socket.destroy();
  });

  it.each(doors)(
    'when it sends %s a byte at a time (Contract 8.6.2)',
    async (_name, method, path, headers) => {
      const client = open();
      client.socket.write(head(method, path, { ...headers, 'Content-Length': '60000' }));
      void trickle(client, ' ', 30);
      expect(await client.ended).toBeLessThan(cutOffMs);
      // What needs no body has been answered.
      const answer =
        path === '/health'
          ? /^HTTP\/1\.1 200 /
          : /^HTTP\/1\.1 503 Service Unavailable\r\n[^]*"service-unavailable"/;
      expect(client.received()).toMatch(answer);
    },
  );

  it.each([
    ['POST', '/graphql'],
    ['PATCH', '/companies'],
  ] as const)(
    'and leaves nothing waiting for the rest of its file: %s %s (Contract 8.6.2, 8.6.9)',
    async (method, path) => {
      const field = (name: string, text: string) =>
        `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`;
      const query =
        'mutation ($input: UpdateCompanyInput!) { updateCompany(input: $input) { company { name } } }';
      const input = { mediaPublicId: 'demo-media', companyPublicId: 'acme', logo: null };
      const [fields, file] =
        path === '/graphql'
          ? [
              field('operations', JSON.stringify({ query, variables: { input } })) +
                field('map', '{"0":["variables.input.logo"]}'),
              '0',
            ]
          : [field('media_public_id', 'demo-media') + field('company_public_id', 'acme'), 'logo'];
      const begun = `${fields}--x\r\nContent-Disposition: form-data; name="${file}"; filename="a"\r\n\r\nbytes`;
      const headers = {
        'Content-Type': 'multipart/form-data; boundary=x',
        'Apollo-Require-Preflight': 'yes',
      };
      // The second one would wait for the first, if that one still held its place.
      for (const [rest, status] of [
        [head(method, path, { ...headers, 'Content-Length': '9000' }) + begun, 503],
        [
          `${head(method, path, { ...headers, 'Transfer-Encoding': 'chunked' })}${begun.length.toString(16)}\r\n${begun}\r\nnone\r\n`,
          400,
        ],
      ] as const) {
        const client = open();
        client.socket.write(rest);
        expect(await client.ended).toBeLessThan(cutOffMs);
        expect(client.received()).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
      }
      await until(async () => (await valueOf('gateway_operations_in_flight')) === 0);
      expect(await valueOf('gateway_operations_in_flight')).toBe(0);
      const whole = `${begun} of no image\r\n--x--\r\n`;
      const last = open();
      last.socket.write(
        head(method, path, { ...headers, 'Content-Length': String(whole.length), Connection: 'close' }) +
          whole,
      );
      expect(await last.ended).toBeLessThan(cutOffMs);
      expect(last.received()).toContain('logo-format-error');
    },
  );

  it('when it asks for a long reply and never reads it (Contract 8.6.2)', async () => {
    const client = open();
    client.socket.pause();
    const asked = head('GET', '/metrics', {}).repeat(2_000);
    client.socket.write(asked);
    await sleep(5 * requestTimeoutMs);
    client.socket.resume();
    // Everything that had not left for its buffers yet is lost with the connection.
    expect(await client.ended).toBeLessThan(cutOffMs);
  });

  it('while others are answered as ever (Contract 8.6.2)', async () => {
    const answeredFirst = async () => {
      const slow = Array.from({ length: 50 }, () => open());
      for (const client of slow) {
        client.socket.write('POST /graphql HTTP/1.1\r\n');
        void trickle(client, 'x', 100);
      }
      const ends = slow.map(({ ended }) => ended);
      const health = fetch(`${gateway.url}/health`).then(({ status }) => status);
      const first = await Promise.race([health, ...ends]);
      await Promise.all(ends);
      return first === (await health);
    };
    // A machine that halts for a moment lets the slow ones run out of their time, but not each time.
    let isAnswered = false;
    for (let tries = 0; tries < 5 && !isAnswered; tries += 1) isAnswered = await answeredFirst();
    expect(isAnswered).toBe(true);
  });
});

describe('a body without a length', () => {
  it.each(doors)(
    'of %s is refused or dropped past its bound, and then its connection is cut (Contract 8.6.1, 8.6.2)',
    async (_name, method, path, headers) => {
      const client = open();
      client.socket.write(head(method, path, { ...headers, 'Transfer-Encoding': 'chunked' }));
      // More than any machine sends between two looks.
      const mostBytes = 2 ** 30;
      await flood(client, chunk(Buffer.alloc(65_536, 'x')), mostBytes);
      await client.ended;
      expect(client.sentBytes()).toBeLessThan(mostBytes);
      if (path !== '/health') expect(client.received()).toMatch(/^HTTP\/1\.1 4\d\d |^$/);
    },
  );
});

describe('a refused upload', () => {
  // These have all the time that they need, however busy the machine is.
  const patient = ownGateway({ BODY_MAX_SIZE: '64KiB', LOGO_MAX_SIZE: '256KiB' });
  it.each([
    ['of which nothing is read', { Authorization: 'Bearer bad' }, 401],
    ['that is too large', {}, 413],
  ])('%s leaves its connection to the next request (Contract 8.6.2)', async (_name, headers, status) => {
    const client = open(patient);
    const valid = await patient.token();
    const body = Buffer.concat([
      Buffer.from('--x\r\nContent-Disposition: form-data; name="logo"; filename="a.png"\r\n\r\n'),
      Buffer.alloc(300_000),
      Buffer.from('\r\n--x--\r\n'),
    ]);
    const length = String(body.length);
    const type = 'multipart/form-data; boundary=x';
    client.socket.write(
      head('PATCH', '/companies', {
        Authorization: `Bearer ${valid}`,
        ...headers,
        'Content-Type': type,
        'Content-Length': length,
      }),
    );
    client.socket.write(body);
    client.socket.write(head('GET', '/health', {}));
    await until(() => client.received().includes('{"status":"ok"}'));
    expect(client.received()).toContain(`HTTP/1.1 ${status} `);
    expect(client.received()).toContain('{"status":"ok"}');
    client.socket.destroy();
  });

  it('without a length is counted to its end: the requests after it are not (Contract 8.6.2)', async () => {
    const client = open(patient);
    const upload = [
      head('PATCH', '/companies', { Authorization: 'Bearer bad', 'Transfer-Encoding': 'chunked' }),
      chunk(Buffer.alloc(300_000)),
      '0\r\n\r\n',
    ];
    // Together they send more than the bound of one, and in less time than lies between two looks.
    const requests = 8;
    for (const part of Array.from({ length: requests }, () => upload).flat()) client.socket.write(part);
    const answers = () => client.received().split('HTTP/1.1 401 ').length - 1;
    await Promise.race([client.ended, until(() => answers() === requests)]);
    expect(answers()).toBe(requests);
    client.socket.destroy();
  });
});
