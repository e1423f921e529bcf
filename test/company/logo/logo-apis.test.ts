import { beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { mongo } from 'mongoose';
import { Readable } from 'node:stream';
import sharp from 'sharp';
import { LogoStore } from '../../../src/company/logo/logo-store.js';
import { assertDocumented } from '../../support/documented-reply.js';
import { ownGateway } from '../../support/own-gateway.js';
import { animation, blackPng, FORMATS, noise, plain, smallPng } from './test-images.js';
import {
  APIS,
  resetWithLogos,
  removeUnusedLogos,
  sendLogo,
  storedLogos,
  type Upload,
  type UploadApi,
} from './test-uploads.js';
import { promptMs } from '../../support/prompt.js';
import { rest } from '../../support/requests.js';
import { sha256 } from '../../support/trusted.js';
import { until } from '../../support/until.js';

const MIB = 2 ** 20;
const successStatus = { rest: 201, graphql: 200 };
const none = { files: 0, hasChunks: false };
const bomb = blackPng(30_000, 30_000);

const gateway = ownGateway();
let token: string;
beforeAll(async () => void (token = await gateway.token()));
beforeEach(() => resetWithLogos(gateway));

const send = (api: UploadApi, file: Uint8Array, more: Partial<Upload> = {}) =>
  sendLogo(gateway, api, { token, file, ...more });
const company = (publicId = 'acme') => gateway.models.companies.findOne({ publicId }).lean();
const served = async (url: string | null) => {
  const response = await fetch(gateway.url + new URL(url ?? '').pathname);
  return { response, bytes: Buffer.from(await response.arrayBuffer()) };
};

describe.each(APIS)('gateway that receives logos over %s', (api) => {
  it.each(FORMATS)(
    'accepts a %s under any file name and type, and serves it without metadata (Contract 5.3.2, 5.3.3)',
    async (format) => {
      const file = await noise(90, 60)
        .withExif({ IFD0: { Artist: 'Somebody' } })
        .toFormat(format)
        .toBuffer();
      const answer = await send(api, file, { fileName: 'logo.exe', type: 'text/html' });
      expect([answer.status, answer.code, answer.warnings]).toEqual([successStatus[api], null, []]);
      const { response, bytes } = await served(answer.logo);
      const metadata = await sharp(bytes).metadata();
      expect(response.headers.get('content-type')).toBe(`image/${format}`);
      expect(metadata).toMatchObject({ format, width: 90, height: 60 });
      expect([metadata.exif, bytes.includes('Somebody')]).toEqual([undefined, false]);
      expect((await company())?.version).toBe(2);
    },
  );

  it.each(['base64', 'Quoted-Printable', 'x-token'])(
    'answers content-type-not-supported to a file whose Content-Transfer-Encoding is %s (Contract 5.1.1)',
    async (encoding) => {
      const answer = await send(api, smallPng, { encoding, fields: { name: 'Acme Lyon' } });
      expect([answer.status, answer.code]).toEqual([415, 'content-type-not-supported']);
      expect(await company()).toMatchObject({ name: 'Acme', version: 1 });
    },
  );

  it.each(['7bit', '8BIT', 'binary '])(
    'accepts a file whose Content-Transfer-Encoding is %s',
    async (encoding) => {
      const answer = await send(api, smallPng, { encoding });
      expect([answer.status, answer.code]).toEqual([successStatus[api], null]);
    },
  );

  it('serves the first frame of an animation, with a warning (Contract 5.3.3)', async () => {
    const { logo, warnings } = await send(api, await animation(['ff0000', '00ff00'], 'gif'));
    expect(warnings).toEqual(['logo-animation-removed']);
    const { bytes } = await served(logo);
    expect((await sharp(bytes, { animated: true }).metadata()).pages ?? 1).toBe(1);
    const [red = 0, green = 0] = await sharp(bytes).removeAlpha().raw().toBuffer();
    expect([red > 250, green < 5]).toEqual([true, true]);
  });

  it('changes nothing when the same logo is sent again (Contract 5.1.11)', async () => {
    const first = await send(api, smallPng);
    const again = await send(api, smallPng);
    expect(again.logo).toBe(first.logo);
    expect((await company())?.version).toBe(2);
    expect((await storedLogos(gateway)).files).toBe(1);
  });

  it.each(['https://elsewhere.example/logo.png', 'nonsense'])(
    'prefers the file to the logo_url %s, with a warning (Contract 5.3.1)',
    async (logo_url) => {
      const { logo, warnings } = await send(api, smallPng, { fields: { logo_url } });
      expect(warnings).toEqual(['logo-url-ignored']);
      expect(new URL(logo ?? '').pathname).toMatch(/^\/logos\/[\da-f]{64}$/);
    },
  );

  it('ignores the empty file field of a form, and applies the other fields (Contract 5.3.1)', async () => {
    const unchosen = { fileName: '', type: 'application/octet-stream' };
    const { logo } = await send(api, smallPng);
    const kept = await send(api, Buffer.alloc(0), { ...unchosen, fields: { description: 'New' } });
    expect([kept.status, kept.code, kept.logo]).toEqual([successStatus[api], null, logo]);
    expect((await company())?.description).toBe('New');
    const logoUrl = 'https://elsewhere.example/logo.png';
    const { logo: other, warnings } = await send(api, Buffer.alloc(0), {
      ...unchosen,
      fields: { logo_url: logoUrl },
    });
    expect([other, warnings]).toEqual([logoUrl, []]);
    const nameless = await send(api, Buffer.from('x'), unchosen);
    expect([nameless.status, nameless.faults]).toEqual([422, ['logo-format-error']]);
  });

  it('says in the caller’s language what is wrong with a file (Contract 7.2.4)', async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>');
    const says: Record<string, string> = {
      en: 'The format of this file is SVG. Choose a PNG, JPEG, WebP or GIF image.',
      fr: 'Le format de ce fichier est SVG. Choisissez une image PNG, JPEG, WebP ou GIF.',
    };
    for (const [language, message] of Object.entries(says)) {
      const answer = await send(api, svg, { headers: { 'accept-language': language } });
      expect([answer.faults, answer.messages]).toEqual([['logo-format-error'], [message]]);
    }
    const empty = await send(api, Buffer.alloc(0), { fileName: 'logo.png' });
    expect(empty.messages).toEqual(['This file is empty. Choose a PNG, JPEG, WebP or GIF image.']);
  });

  it('removes a replaced logo only in the hourly task (Contract 9.2.8)', async () => {
    const first = await send(api, await plain(8, 8, '#ff0000').png().toBuffer());
    const second = await send(api, await plain(8, 8, '#00ff00').png().toBuffer());
    expect((await served(first.logo)).response.status).toBe(200);
    await removeUnusedLogos(gateway);
    expect(await storedLogos(gateway)).toEqual({ files: 1, hasChunks: true });
    expect((await served(first.logo)).response.status).toBe(404);
    expect((await served(second.logo)).response.status).toBe(200);
  });

  it('shows the logo of a dry run but does not store it (Contract 6.3.1)', async () => {
    const answer = await send(api, smallPng, { dryRun: true });
    expect([answer.status, answer.logo?.includes('/logos/')]).toEqual([successStatus[api], true]);
    expect(await storedLogos(gateway)).toEqual(none);
    expect((await company())?.version).toBe(1);
  });

  it('reads a file of 5 MiB, and answers payload-too-large to one byte more (Contract 5.3.2)', async () => {
    const file = Buffer.alloc(5 * MIB + 1);
    expect(await send(api, file.subarray(1))).toMatchObject({ status: 422, faults: ['logo-format-error'] });
    const answer = await send(api, file);
    expect([answer.status, answer.code]).toEqual([413, 'payload-too-large']);
    expect(answer.cpuMs).toBeLessThan(promptMs);
    expect(await storedLogos(gateway)).toEqual(none);
  });
});

describe.each(APIS)('file that is not a logo, over %s (Contract 5.3.2)', (api) => {
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="8" height="8"/></svg>';
  // test/company/logo/logo-image.test.ts has the other files.
  const files: [string, () => Buffer | Promise<Buffer>][] = [
    ['nothing', () => Buffer.alloc(0)],
    ['an SVG', () => Buffer.from(svg)],
    ['30 000 × 30 000 pixels in 110 kB', () => bomb],
    ['a picture cut short', async () => (await noise(60, 60).png().toBuffer()).subarray(0, -20)],
  ];

  it.each(files)('is refused with logo-format-error within a second: %s', async (_, make) => {
    const answer = await send(api, await make());
    expect([answer.status, answer.code, answer.faults]).toEqual([
      422,
      'validation-failed',
      ['logo-format-error'],
    ]);
    expect(answer.cpuMs).toBeLessThan(promptMs);
    expect(await storedLogos(gateway)).toEqual(none);
    expect((await company())?.version).toBe(1);
  });

  it('is reported with all other faults (Contract 7.4.1)', async () => {
    const { faults } = await send(api, Buffer.from(svg), {
      fields: { name: 'x'.repeat(151), size_id: 'no-such-size' },
    });
    expect(faults).toEqual(['logo-format-error', 'name-too-long', 'size_id-not-found']);
  });

  it('is not reported if the scope or company is missing (Contract 7.1.1)', async () => {
    const answers = [
      await send(api, Buffer.from(svg), { token: await gateway.token({ scope: 'r_w_jobs' }) }),
      await send(api, Buffer.from(svg), { fields: { company_public_id: 'nobody' } }),
    ];
    expect(answers.map(({ status, code }) => [status, code])).toEqual([
      [401, 'unauthorized-limitation'],
      [404, 'company-not-found'],
    ]);
    expect(await storedLogos(gateway)).toEqual(none);
  });
});

const upload = async (file: Buffer) => (await send('rest', file)).logo ?? '';

describe('GET of a stored logo', () => {
  it('is served by its hash, and caches may keep it for a year (Contract 5.3.4)', async () => {
    const url = await upload(await plain(40, 30).webp().toBuffer());
    const response = await fetch(url);
    const bytes = Buffer.from(await response.arrayBuffer());
    const { status, headers } = response;
    const hash = sha256(bytes);
    expect(url).toBe(`${gateway.url}/logos/${hash}`);
    assertDocumented({ method: 'GET', path: `/logos/${hash}` }, { status, headers, body: bytes.toString() });
    expect({ status, ...Object.fromEntries(headers) }).toMatchObject({
      status: 200,
      'content-type': 'image/webp',
      etag: `"${hash}"`,
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    });
  });

  it('answers 304 to a caller who has the logo (Contract 5.3.4)', async () => {
    const url = await upload(await plain(40, 30).png().toBuffer());
    const etag = (await fetch(url)).headers.get('etag') ?? '';
    for (const tags of [etag, `"other", ${etag}`, `W/${etag}`, '*']) {
      const { status, headers } = await fetch(url, { headers: { 'if-none-match': tags } });
      assertDocumented({ method: 'GET', path: new URL(url).pathname }, { status, headers, body: null });
      expect([status, headers.get('etag')]).toEqual([304, etag]);
    }
    expect((await fetch(url, { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
  });

  it('answers HEAD with the length, without reading the logo (Contract 5.3.4)', async () => {
    const url = await upload(await noise(400, 400).png().toBuffer());
    const { byteLength } = await (await fetch(url)).arrayBuffer();
    // eslint-disable-next-line @typescript-eslint/unbound-method -- `open.call` below passes the store
    const { open } = LogoStore.prototype;
    const streams: Readable[] = [];
    jest.spyOn(LogoStore.prototype, 'open').mockImplementationOnce(async function (this: LogoStore, hash) {
      const logo = await open.call(this, hash);
      if (logo) streams.push(logo.stream);
      return logo;
    });
    const { status, headers } = await fetch(url, { method: 'HEAD' });
    expect([status, headers.get('content-length')]).toEqual([200, String(byteLength)]);
    await until(() => streams.every(({ closed }) => closed));
    expect(streams.map(({ readableDidRead }) => readableDidRead)).toEqual([false]);
  });

  it('aborts the reply if the logo is removed meanwhile', async () => {
    const url = await upload(await noise(400, 400).png().toBuffer());
    const chunks = gateway.models.companies.db.collection('logos.chunks');
    // eslint-disable-next-line @typescript-eslint/unbound-method -- `open.call` below passes the store
    const { open } = LogoStore.prototype;
    jest.spyOn(LogoStore.prototype, 'open').mockImplementationOnce(async function (this: LogoStore, hash) {
      const logo = await open.call(this, hash);
      await chunks.deleteMany({ n: { $gt: 0 } });
      return logo;
    });
    const response = await fetch(url);
    expect(response.status).toBe(200);
    await expect(response.arrayBuffer()).rejects.toThrow('terminated');
    expect((await fetch(url)).status).toBe(404);
  });

  it('answers an uncacheable 503 if the logo cannot be read (Contract 4.4.7, 7.2.2)', async () => {
    const url = await upload(await plain(40, 30).png().toBuffer());
    const warned: Error[] = [];
    const hear = (warning: Error) => warned.push(warning);
    process.on('warning', hear);
    jest.spyOn(LogoStore.prototype, 'open').mockImplementationOnce(async () => ({
      contentType: 'image/png',
      length: 100,
      stream: new Readable({ read: () => undefined }).destroy(new mongo.MongoNetworkTimeoutError('too slow')),
    }));
    const { status, headers, body } = await rest(gateway, 'GET', new URL(url).pathname, undefined);
    process.off('warning', hear);
    expect([status, body.error]).toEqual([503, 'service-unavailable']);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'private, no-store',
    });
    expect(headers.has('etag')).toBe(false);
    expect(warned).toEqual([]);
  });

  it.each(['0'.repeat(64), 'x', '..%2f..%2fetc%2fpasswd', 'A'.repeat(64)])(
    'answers not-found for an unknown logo: %s (Contract 5.3.4)',
    async (hash) => {
      const { status, body } = await rest(gateway, 'GET', `/logos/${hash}`, undefined);
      expect([status, body.error]).toEqual([404, 'not-found']);
    },
  );
});
