import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { plain } from '../company/logo/test-images.js';
import { forgetLogos, sendLogo, storedLogos } from '../company/logo/test-uploads.js';
import { ownGateway } from '../support/own-gateway.js';
import { sendRaw } from '../support/raw-http.js';
import { rest } from '../support/requests.js';

const MIB = 2 ** 20;
const none = { files: 0, hasChunks: false };

const gateway = ownGateway();
let token: string;
let png: Buffer;
beforeAll(async () => {
  token = await gateway.token();
  png = await plain(8, 8).png().toBuffer();
});
beforeEach(async () => {
  await gateway.reset();
  await forgetLogos(gateway);
});

type Part = [name: string, value: string | Buffer];

function patch(parts: Part[], headers: Record<string, string> = {}) {
  const multipart = new FormData();
  for (const [name, value] of [
    ['media_public_id', 'demo-media'],
    ['company_public_id', 'acme'],
    ...parts,
  ] as Part[]) {
    if (typeof value === 'string') multipart.append(name, value);
    else multipart.append(name, new Blob([new Uint8Array(value)], { type: 'image/png' }), 'logo.png');
  }
  return rest(gateway, 'PATCH', '/companies', { multipart }, { token, headers });
}

const codes = ({ body }: Awaited<ReturnType<typeof patch>>) => (body.errors ?? []).map(({ code }) => code);
const logoOf = ({ body }: Awaited<ReturnType<typeof patch>>) =>
  (body.company?.content as { visual: { logo: string } } | undefined)?.visual.logo;

describe('PATCH /companies with a file', () => {
  it('accepts the logo before or after the other fields (Contract 4.1.2)', async () => {
    const after = await patch([
      ['description', 'One'],
      ['logo', png],
    ]);
    const before = await patch([
      ['logo', png],
      ['description', 'Two'],
    ]);
    expect([after.status, before.status]).toEqual([201, 201]);
    expect(logoOf(before)).toBe(logoOf(after));
    expect((await gateway.models.companies.findOne({ publicId: 'acme' }).lean())?.description).toBe('Two');
  });

  it('ignores a file in an undocumented field, and warns with unknown-field (Contract 4.3.4)', async () => {
    const { status, body } = await patch([
      ['photo', png],
      ['photo', png],
    ]);
    expect([status, body.warnings?.map(({ code, field }) => [code, field])]).toEqual([
      201,
      [['unknown-field', 'photo']],
    ]);
    expect(await storedLogos(gateway)).toEqual(none);
  });

  it.each(['constructor', '__proto__', 'toString'])(
    'ignores a text or file in the field %s, and warns with unknown-field (Contract 4.3.4)',
    async (name) => {
      for (const value of ['text', png]) {
        const { status, body } = await patch([[name, value]]);
        expect([status, body.warnings?.map(({ code, field }) => [code, field])]).toEqual([
          201,
          [['unknown-field', name]],
        ]);
      }
    },
  );

  it('keeps a logo for another hour if an update, but not a dry run, sends it again (Contract 4.1.7.7)', async () => {
    const files = gateway.models.companies.db.collection<{ metadata: { putAt: Date } }>('logos.files');
    const putAt = async () => (await files.findOne())?.metadata.putAt.getTime() ?? 0;
    await patch([['logo', png]]);
    const long = new Date(0);
    await files.updateOne({}, { $set: { 'metadata.putAt': long } });
    await patch([['logo', png]], { prefer: 'validate-only' });
    expect(await putAt()).toBe(0);
    await patch([['logo', png]]);
    expect(await putAt()).toBeGreaterThan(0);
  });

  it('stores the logo even if sent with other files', async () => {
    const reply = await patch([
      ['photo', png],
      ['logo', png],
      ['other', png],
    ]);
    expect(reply.status).toBe(201);
    expect(logoOf(reply)).toContain('/logos/');
  });

  it.each<[string, Part[]]>([
    [
      'two files',
      [
        ['logo', Buffer.from('one')],
        ['logo', Buffer.from('two')],
      ],
    ],
    ['a text', [['logo', 'https://acme.example/logo.png']]],
    ['an empty text', [['logo', '']]],
    [
      'a file and a text',
      [
        ['logo', Buffer.from('one')],
        ['logo', 'text'],
      ],
    ],
  ])('answers logo-must-be-file if logo is %s (Contract 4.3.2)', async (_, parts) => {
    const reply = await patch(parts);
    expect([reply.status, codes(reply)]).toEqual([422, ['logo-must-be-file']]);
    expect(await storedLogos(gateway)).toEqual(none);
  });

  it('answers name-must-be-string if name is a file, and reports the other faults too (Contract 4.3.2)', async () => {
    const reply = await patch([
      ['name', png],
      ['logo', Buffer.from('x')],
      ['logo_url', 'nowhere'],
    ]);
    expect([reply.status, codes(reply).sort()]).toEqual([422, ['logo-format-error', 'name-must-be-string']]);
  });

  it('rejects an invalid logo_url if no file is sent (Contract 4.1.7.6)', async () => {
    const reply = await patch([['logo_url', 'ftp://acme.example/logo.png']]);
    expect([reply.status, codes(reply)]).toEqual([422, ['logo_url-format-error']]);
  });

  it('replays a repeated upload, and rejects another file under the same key (Contract 9.3)', async () => {
    const other = await plain(9, 9).png().toBuffer();
    const key = { 'idempotency-key': 'upload' };
    const first = await patch([['logo', png]], key);
    await patch([['logo', other]]);
    const repeated = await patch([['logo', png]], key);
    expect(repeated.headers.get('idempotency-replayed')).toBe('true');
    expect(repeated.body).toEqual(first.body);
    expect((await patch([['logo', other]], key)).body.error).toBe('idempotency-key-reuse');
  });

  it('answers 413 if names, texts and files other than the logo exceed 1 MiB together (Contract 8.6.1)', async () => {
    const half = 'x'.repeat(MIB / 2);
    const replies = [
      await patch([
        ['a', half],
        ['b', half],
      ]),
      await patch(Array.from({ length: 990 }, (): Part => ['n'.repeat(990), 'x'.repeat(100)])),
      await patch([['photo', Buffer.alloc(MIB)]]),
      await patch([
        ['logo', png],
        ['logo', Buffer.alloc(MIB)],
      ]),
      await patch([['description', 'x'.repeat(MIB + 1)]]),
    ];
    expect(replies.map(({ status }) => status)).toEqual([413, 413, 413, 413, 413]);
    expect(await storedLogos(gateway)).toEqual(none);
  });

  it('answers body-format-error to more than a thousand fields (Contract 4.3.5)', async () => {
    const fields = (count: number) => Array.from({ length: count }, (_, index): Part => [`f${index}`, 'x']);
    expect((await patch(fields(900))).status).toBe(201);
    expect((await patch(fields(1_000))).body.error).toBe('body-format-error');
  });
});

describe('PATCH /companies with a broken multipart body', () => {
  const send = (contentType: string, body: Buffer | string) =>
    sendRaw(
      gateway,
      Buffer.concat([
        Buffer.from(
          `PATCH /companies HTTP/1.1\r\nHost: gateway\r\nAuthorization: Bearer ${token}\r\n` +
            `Content-Type: ${contentType}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`,
        ),
        Buffer.from(body),
      ]),
    );
  const withBoundary = 'multipart/form-data; boundary=b';
  const field = (header: string, value: string | Buffer) =>
    Buffer.concat([
      Buffer.from(`--b\r\n${header}\r\n\r\n`),
      Buffer.from(value),
      Buffer.from('\r\n--b--\r\n'),
    ]);

  it.each<[string, string, string | Buffer]>([
    ['has no boundary', 'multipart/form-data', field('Content-Disposition: form-data; name="name"', 'x')],
    [
      'has another boundary',
      'multipart/form-data; boundary=c',
      field('Content-Disposition: form-data; name="name"', 'x'),
    ],
    ['is not multipart', withBoundary, 'name=x'],
    ['has no end', withBoundary, '--b\r\nContent-Disposition: form-data; name="name"\r\n\r\nx'],
    [
      'ends inside the file',
      withBoundary,
      '--b\r\nContent-Disposition: form-data; name="logo"; filename="a"\r\n\r\nx',
    ],
    ['has a field without a name', withBoundary, field('Content-Disposition: form-data', 'x')],
    ['has a part without a Content-Disposition', withBoundary, field('Content-Type: text/plain', 'x')],
    ['has a part that is not form-data', withBoundary, field('Content-Disposition: attachment', 'x')],
    ['has a part that ends inside its headers', withBoundary, '--b\r\nContent-Type: text/plain\r\n--b--\r\n'],
    [
      'has a field that is not UTF-8',
      withBoundary,
      field('Content-Disposition: form-data; name="name"', Buffer.from([0x41, 0xff])),
    ],
    [
      'has JSON that does not parse',
      withBoundary,
      field('Content-Disposition: form-data; name="name"\r\nContent-Type: application/json', '{'),
    ],
  ])('answers body-format-error if the body %s (Contract 4.3.5)', async (_, contentType, body) => {
    const reply = await send(contentType, body);
    expect([reply.status, (JSON.parse(reply.body) as { error: string }).error]).toEqual([
      400,
      'body-format-error',
    ]);
    expect(await storedLogos(gateway)).toEqual(none);
  });
});

describe('GET /logos/{hash} (Contract 4.1.7.5)', () => {
  const upload = async () =>
    new URL((await sendLogo(gateway, 'rest', { token, file: png })).logo ?? '').pathname;

  it('needs no token, and caches can keep the logo forever', async () => {
    const path = await upload();
    const response = await fetch(gateway.url + path);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      etag: `"${path.split('/')[2]}"`,
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
    });
    const bytes = await response.arrayBuffer();
    expect(response.headers.get('content-length')).toBe(String(bytes.byteLength));
  });

  it.each([
    ['the current ETag', (etag: string) => etag, 304],
    ['a list with the current ETag', (etag: string) => `"other", W/${etag}`, 304],
    ['If-None-Match: *', () => '*', 304],
    ['another ETag', () => '"other"', 200],
  ])('returns 304 only if If-None-Match has the ETag of the logo: %s', async (_, ifNoneMatch, status) => {
    const path = await upload();
    const etag = `"${path.split('/')[2]}"`;
    const response = await fetch(gateway.url + path, { headers: { 'if-none-match': ifNoneMatch(etag) } });
    expect([response.status, response.headers.get('etag')]).toEqual([status, etag]);
    expect((await response.arrayBuffer()).byteLength > 0).toBe(status === 200);
  });

  it('answers HEAD like GET, but without a body', async () => {
    const path = await upload();
    const { headers: whole } = await fetch(gateway.url + path);
    const head = await fetch(gateway.url + path, { method: 'HEAD' });
    expect(head.status).toBe(200);
    for (const name of [
      'etag',
      'cache-control',
      'content-type',
      'content-length',
      'x-content-type-options',
    ]) {
      expect([name, head.headers.get(name)]).toEqual([name, whole.get(name)]);
    }
    expect((await head.arrayBuffer()).byteLength).toBe(0);
  });

  it.each([
    ['a hash that is not stored', '0'.repeat(64)],
    ['a name that is not a hash', 'logo.png'],
    ['a path outside the store', '..%2F..%2Fetc%2Fpasswd'],
    ['a hash in capitals', 'A'.repeat(64)],
  ])('returns 404 not-found for %s', async (_, hash) => {
    const response = await fetch(`${gateway.url}/logos/${hash}`);
    expect([response.status, ((await response.json()) as { error: string }).error]).toEqual([
      404,
      'not-found',
    ]);
    expect((await fetch(`${gateway.url}/logos/${hash}`, { method: 'HEAD' })).status).toBe(404);
  });
});
