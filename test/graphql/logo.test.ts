import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { plain } from '../company/logo/test-images.js';
import { resetWithLogos, frame, sendLogo, storedLogos } from '../company/logo/test-uploads.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { multipartOf, type Part } from '../support/multipart.js';
import { ownGateway } from '../support/own-gateway.js';
import { graphql, type GraphQLBody } from '../support/requests.js';

const none = { files: 0, hasChunks: false };
const document = `mutation ($input: UpdateCompanyInput!, $expectedVersion: Int, $key: String) {
  updateCompany(input: $input, expectedVersion: $expectedVersion, idempotencyKey: $key) {
    company { version content { visual { logo } } }
    warnings { code }
  }
}`;
const acme = { mediaPublicId: 'demo-media', companyPublicId: 'acme' };

const gateway = ownGateway();
const png = await plain(8, 8).png().toBuffer();
let token: string;
beforeAll(async () => void (token = await gateway.token()));
beforeEach(() => resetWithLogos(gateway));

async function post(parts: Part[], headers: Record<string, string> = { 'apollo-require-preflight': 'true' }) {
  const response = await fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, ...headers },
    body: multipartOf(parts),
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as GraphQLBody };
}

const operations = (
  variables: Record<string, unknown> = { input: { ...acme, logo: null } },
  query = document,
): Part => ['operations', JSON.stringify({ query, variables })];
const map: Part = ['map', JSON.stringify({ 0: ['variables.input.logo'] })];
const errorOf = ({ body }: { body: GraphQLBody }) => body.errors?.[0]?.extensions.error;

describe('a logo in a GraphQL multipart request (Contract 4.1.7.8)', () => {
  it('needs the header against cross-site requests', async () => {
    const parts = [operations(), map, ['0', png]] satisfies Part[];
    const without = await post(parts, {});
    expect([without.status, errorOf(without)]).toEqual([400, 'body-format-error']);
    expect(await storedLogos(gateway)).toEqual(none);
    const { status, body } = await post(parts);
    expect([status, body.errors]).toEqual([200, undefined]);
    expect(body.data?.updateCompany).toMatchObject({ company: { version: 2 } });
  });

  it('is accepted with a media type in any case (RFC 9110, 8.3.1)', async () => {
    const { headers, before, after } = frame('graphql', { token });
    const type = headers['content-type']?.replace('multipart/form-data', 'Multipart/Form-Data') ?? '';
    const reply = await fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { ...headers, 'content-type': type },
      body: Buffer.concat([before, png, after]),
    });
    expect([reply.status, await reply.text()]).toEqual([200, expect.stringContaining('/logos/')]);
  });

  it.each([['variables.a.logo', 'variables.b.logo'], Array<string>(2).fill('variables.a.logo')])(
    'may have only one path: a map with %s and %s is refused before anything runs (Contract 4.1.7.8)',
    async (...paths) => {
      const query = `mutation ($a: UpdateCompanyInput!, $b: UpdateCompanyInput!) {
        a: updateCompany(input: $a) { company { version } }
        b: updateCompany(input: $b) { company { version } }
      }`;
      const input = { ...acme, logo: null };
      const shared: Part = ['map', JSON.stringify({ 0: paths })];
      const reply = await post([operations({ a: input, b: input }, query), shared, ['0', png]]);
      expect([reply.status, errorOf(reply), reply.body.errors?.[0]?.message]).toEqual([
        400,
        'body-format-error',
        'The body of the request cannot be read: its map gives one file several paths.',
      ]);
      expect(await storedLogos(gateway)).toEqual(none);
    },
  );

  it.each<[string, Record<string, unknown>, Part]>([
    ['a text as the logo', { input: { ...acme, logo: 'text' } }, ['map', '{}']],
    ['a file as the name', { input: { ...acme, name: null } }, ['map', '{"0":["variables.input.name"]}']],
  ])('is refused if a value has the wrong type: %s (Contract 7.6.3)', async (_, variables, mapping) => {
    const reply = await post([operations(variables), mapping, ['0', png]]);
    expect(reply.body.errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
    expect(await storedLogos(gateway)).toEqual(none);
  });

  it.each([
    [
      'String',
      'company(mediaPublicId: "demo-media", publicId: $value) { name }',
      'String cannot represent a non string value: a file',
    ],
    [
      'DateTimeISO',
      'jobs(mediaPublicId: "demo-media", filter: { expiringBefore: $value }) { edges { cursor } }',
      'DateTime cannot represent non string or Date type "a file"',
    ],
  ])(
    'is refused for a variable of type %s, without revealing anything of the file (Contract 7.6.3)',
    async (type, field, reason) => {
      const { body } = await post([
        operations({ value: null }, `query ($value: ${type}!) { ${field} }`),
        ['map', '{"0":["variables.value"]}'],
        ['0', png],
      ]);
      expect(body.errors?.map(({ message }) => message)).toEqual([
        `Variable "$value" got an invalid value; ${reason}`,
      ]);
    },
  );

  it('is not stored on a version conflict (Contract 9.1.3)', async () => {
    const reply = await post([
      operations({ input: { ...acme, logo: null }, expectedVersion: 7 }),
      map,
      ['0', png],
    ]);
    expect(errorOf(reply)).toBe('version-conflict');
    expect(await storedLogos(gateway)).toEqual(none);
  });

  it('is compared by its content when a call is repeated (Contract 9.3)', async () => {
    const other = await plain(9, 9).png().toBuffer();
    const send = (file: Buffer) =>
      post([operations({ input: { ...acme, logo: null }, key: 'upload' }), map, ['0', file]]);
    const first = await send(png);
    const repeated = await send(png);
    expect(repeated.headers.get('idempotency-replayed')).toBe('true');
    expect(repeated.body.data).toEqual(first.body.data);
    expect(errorOf(await send(other))).toBe('idempotency-key-reuse');
  });

  it('can be used only by the first mutation of a document (Contract 4.1.7.8)', async () => {
    const query = `mutation ($input: UpdateCompanyInput!) {
      one: updateCompany(input: $input) { company { version } }
      two: updateCompany(input: $input) { company { version } }
    }`;
    const { body } = await post([operations(undefined, query), map, ['0', png]]);
    expect(body.data).toMatchObject({ one: { company: { version: 2 } }, two: null });
    expect(errorOf({ body })).toBe('body-format-error');
  });

  it('with an invalid token is refused before it is read (Contract 5.1.3)', async () => {
    const { status, code } = await sendLogo(gateway, 'graphql', {
      token: 'bad',
      file: Buffer.alloc(2 ** 22),
    });
    expect([status, code]).toEqual([401, 'unauthorized-limitation']);
  });
});

describe('logos still being uploaded (Contract 8.6.5)', () => {
  const stalled = async (to: TestGateway, bearer: string, key: string): Promise<Socket> => {
    const { hostname, port } = new URL(to.url);
    const part = (name: string, value: string, more = '') =>
      `--x\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}`;
    const body =
      `${part('operations', operations({ input: { ...acme, logo: null }, key })[1] as string)}\r\n` +
      `${part('map', map[1] as string)}\r\n${part('0', 'the first bytes', '; filename="a.png"')}`;
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    socket.write(
      `POST /graphql HTTP/1.1\r\nHost: gateway\r\nAuthorization: Bearer ${bearer}\r\n` +
        `Content-Type: multipart/form-data; boundary=x\r\nApollo-Require-Preflight: yes\r\n` +
        `Content-Length: ${body.length + 1_000}\r\n\r\n${body}`,
    );
    await once(socket, 'ready');
    return socket;
  };

  it('do not count as in flight, and spend no unit of the quota', async () => {
    const small = await startTestGateway({ MAX_IN_FLIGHT: '2', MUTATION_QUOTA: '1/60s' });
    const sockets: Socket[] = [];
    try {
      const slow = await small.token();
      for (let count = 0; count < 6; count += 1) sockets.push(await stalled(small, slow, `key-${count}`));
      await sleep(200);
      const other = await small.token({ sub: 'somebody-else' });
      const { status, body } = await graphql(small, '{ viewer { subject } }', {}, { token: other });
      expect([status, body.errors]).toEqual([200, undefined]);
      const mine = await graphql(
        small,
        document,
        { input: { ...acme, description: 'mine' } },
        { token: slow },
      );
      expect([mine.status, mine.body.errors]).toEqual([200, undefined]);
    } finally {
      for (const socket of sockets) socket.destroy();
      await small.stop();
    }
  });
});
