import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { mongo } from 'mongoose';
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import sharp from 'sharp';
import { LogoStore } from '../../../src/company/logo/logo-store.js';
import { assertDocumented } from '../../support/documented-reply.js';
import { ownGateway } from '../../support/own-gateway.js';
import { rest } from '../../support/requests.js';
import { until } from '../../support/until.js';
import { FORMATS, noise, plain } from './test-images.js';

const gateway = ownGateway();
let token: string;
beforeAll(async () => void (token = await gateway.token()));

async function upload(image: Buffer): Promise<string> {
  const multipart = new FormData();
  multipart.append('media_public_id', 'demo-media');
  multipart.append('company_public_id', 'acme');
  multipart.append('logo', new Blob([new Uint8Array(image)]), 'logo');
  const { body } = await rest(gateway, 'PATCH', '/companies', { multipart }, { token });
  return (body.company as { content: { visual: { logo: string } } }).content.visual.logo;
}

describe('a stored logo', () => {
  it.each(FORMATS)(
    'that was a %s is served by the hash of its content, for ever (Contract 4.1.7.5)',
    async (format) => {
      const url = await upload(await plain(40, 30).toFormat(format).toBuffer());
      const response = await fetch(url);
      const bytes = Buffer.from(await response.arrayBuffer());
      const { status, headers } = response;
      const hash = createHash('sha256').update(bytes).digest('hex');
      expect(url).toBe(`${gateway.url}/logos/${hash}`);
      assertDocumented({ method: 'GET', path: `/logos/${hash}` }, { status, headers, body: null });
      expect({ status, ...Object.fromEntries(headers) }).toMatchObject({
        status: 200,
        'content-type': `image/${format}`,
        etag: `"${hash}"`,
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
      });
      expect(await sharp(bytes).metadata()).toMatchObject({ format, width: 40, height: 30 });
    },
  );

  it('is not sent again to whoever has it (Contract 4.1.7.5)', async () => {
    const url = await upload(await plain(40, 30).png().toBuffer());
    const etag = (await fetch(url)).headers.get('etag') ?? '';
    for (const tags of [etag, `"other", ${etag}`, `W/${etag}`, '*']) {
      const { status, headers } = await fetch(url, { headers: { 'if-none-match': tags } });
      assertDocumented({ method: 'GET', path: new URL(url).pathname }, { status, headers, body: null });
      expect(status).toBe(304);
    }
    expect((await fetch(url, { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
  });

  it('is not read for a HEAD, which is told its length (Contract 4.1.7.5)', async () => {
    const url = await upload(await noise(400, 400).png().toBuffer());
    const { byteLength } = await (await fetch(url)).arrayBuffer();
    // eslint-disable-next-line @typescript-eslint/unbound-method -- it is called with the store that it was called on
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

  it('that is removed while it is read ends its reply, whose caller would wait for the rest', async () => {
    const url = await upload(await noise(400, 400).png().toBuffer());
    const chunks = gateway.models.companies.db.collection('logos.chunks');
    // eslint-disable-next-line @typescript-eslint/unbound-method -- it is called with the store that it was called on
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

  it('that cannot be read is an error in the documented form, and none that stands for the logo (Contract 7.1.2, 8.6.7)', async () => {
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
    'that nobody sent is not-found: %s (Contract 4.1.7.5)',
    async (hash) => {
      const { status, body } = await rest(gateway, 'GET', `/logos/${hash}`, undefined);
      expect([status, body.error]).toEqual([404, 'not-found']);
    },
  );
});
