import { beforeAll, describe, expect, it } from '@jest/globals';
import { catalogue, type ErrorCode } from '../../src/errors/catalogue.js';
import { ownGateway } from '../support/own-gateway.js';
import { type RawReply, sendRaw } from '../support/raw-http.js';

const gateway = ownGateway();
let token: string;
beforeAll(async () => void (token = await gateway.token()));

interface Sent {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

async function send(path: string, { method = 'POST', headers = {}, body }: Sent = {}): Promise<RawReply> {
  const response = await fetch(gateway.url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, ...headers },
    ...(body !== undefined && { body }),
  });
  return { status: response.status, headers: response.headers, body: await response.text() };
}

/** The message may have any hint after a colon. */
function expectError({ status, headers, body }: RawReply, code: ErrorCode): void {
  const message = catalogue[code].message.en.replace(/\.$/, '');
  expect(JSON.parse(body)).toEqual({
    status: catalogue[code].status,
    error: code,
    errorMessage: expect.stringMatching(new RegExp(`^${message}(: [\\x20-\\x7e…]{1,150})?\\.?$`)),
  });
  expect(status).toBe(catalogue[code].status);
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(headers.get('x-request-id')).toMatch(/^[\w.:-]{1,128}$/);
}

const job = '/jobs/acme-backend-engineer';
const form = 'application/x-www-form-urlencoded';
const json = 'application/json';
const fields = 'media_public_id=demo-media&company_public_id=acme';
const object = '{"media_public_id":"demo-media","company_public_id":"acme"}';

describe('an unknown path', () => {
  it('gets not-found whatever the method and body (Contract 7.2.2)', async () => {
    for (const [method, type, body] of [
      ['POST', 'application/json', '{bad'],
      ['POST', 'application/json', 'x'.repeat(1_200_000)],
      ['DELETE', 'application/json', '{bad'],
      ['QUERY', '', 'x'],
    ] as const)
      expectError(await send('/nothing', { method, headers: { 'content-type': type }, body }), 'not-found');
    const bare = await sendRaw(gateway, 'QUERY /nothing HTTP/1.1\r\nHost: a\r\n\r\n');
    expectError(bare, 'not-found');
  });
});

describe('POST /jobs/{job_public_id} with an odd id', () => {
  it('gets missing-job_public_id if the id is empty (Contract 7.1.1)', async () => {
    const { status, body } = await send('/jobs/', { headers: { 'content-type': form }, body: fields });
    expect(status).toBe(422);
    expect((JSON.parse(body) as { errors: { code: string }[] }).errors).toMatchObject([
      { code: 'missing-job_public_id' },
    ]);
  });
});

describe('a job with the longest public id', () => {
  it.each(['a', 'ж', '三', '😀', '%'])(
    'is found if the id is 150 times %s, even percent-encoded (Contract 4.4.1, 5.4.1)',
    async (character) => {
      const publicId = character.repeat(150);
      await gateway.models.jobs.collection.updateOne(
        { publicId: 'acme-backend-engineer' },
        { $set: { publicId } },
      );
      try {
        const path = `/jobs/${encodeURIComponent(publicId)}`;
        for (const reply of [
          await send(path, { method: 'GET' }),
          await send(path, { headers: { 'content-type': form }, body: fields }),
        ]) {
          expect(reply.status).toBe(200);
          expect(JSON.parse(reply.body)).toMatchObject({ data: { public_id: publicId } });
        }
      } finally {
        await gateway.reset();
      }
    },
  );
});

describe('the content type of POST /jobs/{job_public_id}', () => {
  it.each(['gzip', 'BR', 'identity, deflate'])(
    'a body with Content-Encoding: %s is refused as content-type-not-supported (Contract 5.1.1)',
    async (coding) => {
      const headers = { 'content-type': json, 'content-encoding': coding };
      for (const [path, method, body] of [
        [job, 'POST', object],
        ['/companies', 'PATCH', '{'],
        ['/graphql', 'POST', '{"query":"{__typename}"}'],
      ] as const) {
        const reply = await send(path, { method, headers, body });
        if (path === '/graphql') expect(reply.status).toBe(415);
        else expectError(reply, 'content-type-not-supported');
      }
      expect(
        (await send(job, { headers: { ...headers, 'content-encoding': 'identity' }, body: object })).status,
      ).toBe(200);
    },
  );

  it.each(['gzip, chunked', 'GZIP,Chunked', 'identity, chunked', 'gzip\r\nTransfer-Encoding: chunked'])(
    'a body with Transfer-Encoding: %s is refused as content-type-not-supported (Contract 5.1.1)',
    async (coding) => {
      for (const path of [job, '/graphql']) {
        const head = `POST ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\nContent-Type: ${json}`;
        const body = `${object.length.toString(16)}\r\n${object}\r\n0\r\n\r\n`;
        const { status, body: answer } = await sendRaw(
          gateway,
          `${head}\r\nConnection: close\r\nTransfer-Encoding: ${coding}\r\n\r\n${body}`,
        );
        expect([status, answer]).toEqual([415, expect.stringContaining('content-type-not-supported')]);
      }
    },
  );

  it('a body without Content-Type is refused as content-type-not-supported (Contract 5.1.1)', async () => {
    const body = Buffer.from(fields);
    const reply = await sendRaw(
      gateway,
      `POST ${job} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\nContent-Length: ${body.length}\r\n\r\n${fields}`,
    );
    expectError(reply, 'content-type-not-supported');
  });

  it.each([
    [`${form};charset=UTF-8`, fields],
    [`${form}; charset="utf-8"`, fields],
    ['Application/JSON; Charset=utf8', object],
    [`${json}; charset=us-ascii`, object],
  ])('%s is accepted (Contract 5.1.1)', async (type, body) => {
    const { status } = await send(job, { headers: { 'content-type': type }, body });
    expect(status).toBe(200);
  });
});

describe('a malformed body', () => {
  it('gets body-format-error even if the token lacks the scope (Contract 7.1.1)', async () => {
    const reader = await gateway.token({ scope: 'r_jobs' });
    const headers = { authorization: `Bearer ${reader}`, 'content-type': json };
    expectError(await send(job, { headers, body: '{' }), 'body-format-error');
  });

  it('gets 401 without a token (Contract 7.1.1)', async () => {
    const headers = { authorization: '', 'content-type': json };
    expectError(await send(job, { headers, body: '{' }), 'unauthorized-limitation');
  });
});

describe('a body over 1 MiB', () => {
  it('gets payload-too-large before the whole body is sent, even without Content-Length (Contract 8.3.2)', async () => {
    const head = `POST ${job} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\nContent-Type: ${form}\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const chunk = `10000\r\n${'a'.repeat(0x10000)}\r\n`;
    expectError(await sendRaw(gateway, head + chunk.repeat(20)), 'payload-too-large');
  });
});

describe('undocumented fields', () => {
  it('are ignored with a warning, and other fields are stored (Contract 5.1.4, 7.5.1, 7.5.2)', async () => {
    await gateway.reset();
    const inherited = ['constructor', 'toString', '__proto__', '$set'];
    const misspelt = ['Salary', 'contractId', 'description.job', 'salary_', 'manager_emails[a]', 'x]'];
    const body = `${fields}&salary=1&color=red&jobPublicId=x&job_public_id=other&is_published=false&_id=1&color=blue${[...inherited, ...misspelt].map((name) => `&${name}=x`).join('')}`;
    const reply = await send(job, { headers: { 'content-type': form }, body });
    const { warnings } = JSON.parse(reply.body) as { warnings: { code: string; field: string }[] };
    expect(reply.status).toBe(200);
    expect(warnings.map(({ code, field }) => [code, field])).toEqual(
      ['color', 'jobPublicId', 'job_public_id', 'is_published', '_id', ...inherited, ...misspelt].map(
        (name) => ['unknown-field', name],
      ),
    );
    expect(await gateway.models.jobs.findOne({ publicId: 'acme-backend-engineer' }).lean()).toMatchObject({
      salary: '1',
      version: 2,
    });
  });
});

describe('a request with headers that Node.js drops', () => {
  it.each([
    [
      'two tokens',
      'Host: a\r\nauthorization: b\r\nAuthorization: c\r\n',
      'Authorization must be sent only once',
    ],
    [
      'two content types',
      'Host: a\r\nContent-Type: b\r\ncontent-type: b\r\n',
      'content-type must be sent only once',
    ],
    ['two hosts', 'Host: a\r\nHost: b\r\n', 'Host must be sent only once'],
    ['one host twice', 'Host: a\r\nhost: a\r\n', 'host must be sent only once'],
  ])(
    'is rejected, and the message names the header: %s (Contract 7.2.2, 7.2.5, 8.4.1)',
    async (_what, headers, hint) => {
      const reply = await sendRaw(gateway, `GET /health HTTP/1.1\r\n${headers}\r\n`);
      expectError(reply, 'body-format-error');
      expect(reply.body).toContain(`"The body of the request cannot be read: ${hint}."`);
    },
  );

  it.each([
    ['2000 headers', `GET /health HTTP/1.1\r\nHost: a\r\n${'a:\r\n'.repeat(1_999)}\r\n`],
    ['HTTP/1.0 without a host', 'GET /health HTTP/1.0\r\n\r\n'],
    ['its host also in the URL', 'GET http://a/health HTTP/1.1\r\nHost: a\r\n\r\n'],
    // Apollo's handler builds a URL from the host.
    ...['1.0\r\n', '1.1\r\nHost: [\r\n', '1.1\r\nHost: a%b\r\n'].map((head): [string, string] => [
      `GraphQL and HTTP/${head.trimEnd()}`,
      `GET /graphql?query={__typename} HTTP/${head}Apollo-Require-Preflight: yes\r\n\r\n`,
    ]),
  ])('is not confused with a request with %s, which gets 200 (Contract 8.4.1)', async (_what, bytes) => {
    expect((await sendRaw(gateway, bytes)).status).toBe(200);
  });
});

describe('the request id', () => {
  it.each(['a', 'req-1.2:3_4', 'x'.repeat(128)])(
    '%s is taken from the request (Contract 7.2.5)',
    async (id) => {
      expect((await send('/nothing', { headers: { 'x-request-id': id } })).headers.get('x-request-id')).toBe(
        id,
      );
    },
  );

  it.each(['', 'a b', 'é', 'x'.repeat(129), '<script>'])(
    '%p is invalid and replaced with a new id (Contract 7.2.5)',
    async (id) => {
      const made = (await send('/nothing', { headers: { 'x-request-id': id } })).headers.get('x-request-id');
      expect(made).toMatch(/^[\da-f-]{36}$/);
    },
  );
});
