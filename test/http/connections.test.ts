import { beforeAll, describe, expect, it } from '@jest/globals';
import { ownGateway } from '../support/own-gateway.js';
import { openClient } from '../support/raw-http.js';
import { until } from '../support/until.js';

const gateway = ownGateway();
let token: string;
beforeAll(async () => void (token = await gateway.token()));

describe('query string of a URL', () => {
  const get = async (path: string) => {
    const headers = { authorization: `Bearer ${token}`, 'apollo-require-preflight': 'yes' };
    const response = await fetch(gateway.url + path, { headers });
    return { status: response.status, text: await response.text() };
  };
  const companies = '/companies?media-public-id=demo-media&company-public-id=';
  const named = (name: string) =>
    `/graphql?query=${encodeURIComponent('query ($name: String) { companies(mediaPublicId: "demo-media", filter: { name: $name }) { edges { cursor } } }')}` +
    `&variables=%7B%22name%22:%22${name}%22%7D`;

  it.each([companies, named('')])(
    'that is not UTF-8 is refused as body-format-error: %s (Contract 5.1.2)',
    async (path) => {
      const { status, text } = await get(path.includes('%22%22') ? named('caf%e9') : `${path}acm%ff`);
      expect(status).toBe(400);
      expect(text).toContain('"error":"body-format-error"');
    },
  );

  it('is accepted with a percent sign that begins no escape, and with escaped UTF-8', async () => {
    expect((await get(`${companies}100%zz`)).status).toBe(404);
    expect((await get(named('caf%C3%A9'))).status).toBe(200);
  });
});

it('a text may contain U+FFFD in a multipart body, as in JSON', async () => {
  const query =
    '{ jobs(mediaPublicId: "demo-media", filter: { name: "before \uFFFD after" }) { edges { cursor } } }';
  const form = new FormData();
  form.set('operations', JSON.stringify({ query }));
  form.set('map', '{}');
  const headers = { authorization: `Bearer ${token}`, 'apollo-require-preflight': 'yes' };
  const reply = await fetch(`${gateway.url}/graphql`, { method: 'POST', body: form, headers });
  expect(await reply.json()).toMatchObject({ data: { jobs: { edges: [] } } });
});

const request = (path: string) => `GET ${path} HTTP/1.1\r\nHost: gateway\r\n\r\n`;

describe('pipelined requests (Contract 8.4.2)', () => {
  it('are answered in the order of the requests', async () => {
    const { socket, received } = openClient(gateway);
    socket.write(['/health', '/nothing', '/health'].map(request).join('').repeat(3));
    const statuses = () => [...received().matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
    await until(() => statuses().length >= 9);
    expect(statuses()).toEqual(Array.from({ length: 3 }, () => ['200', '404', '200']).flat());
    socket.destroy();
  });

  const update = async () => {
    const body = JSON.stringify({ media_public_id: 'demo-media', company_public_id: 'acme', salary: 'kept' });
    const token = await gateway.token();
    return (
      'POST /jobs/acme-backend-engineer HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n' +
      `Authorization: Bearer ${token}\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    );
  };
  const chunked = 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n';

  it.each([
    ['bytes that are not a request', '}\r\n\r\n'],
    ['a chunk without a size', `${chunked}zz\r\n`],
    ['headers that are too long', `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`],
  ])(
    'are answered even if followed by %s; then the connection closes (Contract 6.1.3)',
    async (_what, after) => {
      const { socket, ended, received } = openClient(gateway);
      socket.write((await update()) + after);
      await ended;
      expect(received()).toMatch(/^HTTP\/1\.1 200 [^]*"salary":"kept"/);
    },
  );
});
