import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { plain } from '../company/logo/test-images.js';
import { resetWithLogos, storedLogos } from '../company/logo/test-uploads.js';
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

describe('a logo in a GraphQL multipart request (Contract 5.3.5)', () => {
  it('needs the header against cross-site requests', async () => {
    const parts = [operations(), map, ['0', png]] satisfies Part[];
    const without = await post(parts, {});
    expect([without.status, errorOf(without)]).toEqual([400, 'body-format-error']);
    expect(await storedLogos(gateway)).toEqual(none);
    const { status, body } = await post(parts);
    expect([status, body.errors]).toEqual([200, undefined]);
    expect(body.data?.updateCompany).toMatchObject({ company: { version: 2 } });
  });

  it.each([['variables.a.logo', 'variables.b.logo'], Array<string>(2).fill('variables.a.logo')])(
    'may have only one path: a map with %s and %s is refused before anything runs (Contract 5.3.5)',
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
  ])('is refused if a value has the wrong type: %s (Contract 7.1.2)', async (_, variables, mapping) => {
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
    'is refused for a variable of type %s, without revealing anything of the file (Contract 7.1.2)',
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

  it('is refused with 415 if its operations are encoded (Contract 5.1.1)', async () => {
    const text = Buffer.from(String(operations()[1])).toString('base64');
    const name = 'Content-Disposition: form-data; name="operations"';
    const response = await fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'apollo-require-preflight': 'true',
        'content-type': 'multipart/form-data; boundary=b',
      },
      body: `--b\r\n${name}\r\nContent-Transfer-Encoding: base64\r\n\r\n${text}\r\n--b--\r\n`,
    });
    const body = (await response.json()) as GraphQLBody;
    expect([response.status, body.errors?.[0]?.extensions.error]).toEqual([
      415,
      'content-type-not-supported',
    ]);
  });

  it('is compared by its content when a call is repeated (Contract 6.2)', async () => {
    const other = await plain(9, 9).png().toBuffer();
    const send = (file: Buffer) =>
      post([operations({ input: { ...acme, logo: null }, key: 'upload' }), map, ['0', file]]);
    const first = await send(png);
    const repeated = await send(png);
    expect(repeated.headers.get('idempotency-replayed')).toBe('true');
    expect(repeated.body.data).toEqual(first.body.data);
    expect(errorOf(await send(other))).toBe('idempotency-key-reuse');
  });

  it('can be used only by the first mutation of a document (Contract 5.3.5)', async () => {
    const query = `mutation ($input: UpdateCompanyInput!) {
      one: updateCompany(input: $input) { company { version } }
      two: updateCompany(input: $input) { company { version } }
    }`;
    const { body } = await post([operations(undefined, query), map, ['0', png]]);
    expect(body.data).toMatchObject({ one: { company: { version: 2 } }, two: null });
    expect(errorOf({ body })).toBe('body-format-error');
  });
});

describe('logos still being uploaded', () => {
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
