import { createHash } from 'node:crypto';
import { describe, expect, it, jest } from '@jest/globals';
import sharp, { type Sharp } from 'sharp';
import { LogoFormatError } from '../../../src/company/logo/logo-errors.js';
import { normaliseLogo as normaliseFile } from '../../../src/company/logo/logo-image.js';
import { mostStoredBytes } from '../../../src/company/logo/logo-intake.js';
import { cpuMsOf } from '../../support/prompt.js';
import {
  animation,
  blackPng,
  FORMATS,
  jpegOfScans,
  noise,
  plain,
  pngOfTexts,
  swellingPng,
} from './test-images.js';

const normaliseLogo = (bytes: Buffer, maxFileBytes = 5 * 2 ** 20) =>
  normaliseFile({ bytes, caller: 'caller', mostStoredBytes: mostStoredBytes(maxFileBytes) });

async function firstPixel(bytes: Buffer): Promise<number[]> {
  return [...(await sharp(bytes).removeAlpha().raw().toBuffer()).subarray(0, 3)];
}

describe('a logo (Contract 4.1.7.4)', () => {
  it.each(FORMATS)('stays a %s, of the same size, named by the hash of what is stored', async (format) => {
    const logo = await normaliseLogo(await plain(30, 20).toFormat(format).toBuffer());
    expect(logo.contentType).toBe(`image/${format}`);
    expect(await sharp(logo.bytes).metadata()).toMatchObject({ format, width: 30, height: 20 });
    expect(logo.hash).toBe(createHash('sha256').update(logo.bytes).digest('hex'));
  });

  it.each(FORMATS)('sent twice as the same %s has the same hash', async (format) => {
    const bytes = await noise(120, 80).toFormat(format).toBuffer();
    const hashes = await Promise.all([1, 2, 3].map(async () => (await normaliseLogo(bytes)).hash));
    expect(new Set(hashes).size).toBe(1);
  });

  it.each(FORMATS)('loses what a %s says about camera, place and author', async (format) => {
    const bytes = await plain(8, 8)
      .withExif({ IFD0: { Artist: 'Somebody' }, IFD3: { GPSLatitude: '48/1 51/1 24/1' } })
      .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/">Somebody</x:xmpmeta>')
      .toFormat(format)
      .toBuffer();
    const { bytes: kept } = await normaliseLogo(bytes);
    const metadata = await sharp(kept).metadata();
    expect([metadata.exif, metadata.xmp, metadata.iptc, metadata.icc]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect(kept.includes('Somebody')).toBe(false);
  });

  it('loses what is hidden behind the picture', async () => {
    const bytes = Buffer.concat([
      await plain(8, 8).png().toBuffer(),
      Buffer.from('<script>alert(1)</script>'),
    ]);
    expect((await normaliseLogo(bytes)).bytes.includes('script')).toBe(false);
  });

  it.each(FORMATS)('may be a whole %s with something after its end', async (format) => {
    const whole = await noise(60, 60).toFormat(format).toBuffer();
    const { hash } = await normaliseLogo(whole);
    for (const rest of ['x', '\0\0', ';', '!'])
      expect((await normaliseLogo(Buffer.concat([whole, Buffer.from(rest)]))).hash).toBe(hash);
  });

  it('may be a GIF with comments, frames of a palette of their own, and what is no block between blocks', async () => {
    const frames = await animation(['ff0000', '00ff00'], 'gif');
    const comment = Buffer.from('!\xfe\x02;;\0', 'latin1');
    const stray = Buffer.concat([frames.subarray(0, -1), comment, Buffer.from('\0;x')]);
    await expect(normaliseLogo(stray)).resolves.toMatchObject({ contentType: 'image/gif' });
    const endless = Buffer.concat([frames.subarray(0, -1), comment]);
    await expect(normaliseLogo(endless)).rejects.toThrow(LogoFormatError);
  });

  it('is turned upright before it forgets how it was held', async () => {
    const bytes = await plain(30, 20).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    const metadata = await sharp((await normaliseLogo(bytes)).bytes).metadata();
    expect(metadata).toMatchObject({ width: 20, height: 30 });
    expect(metadata.orientation).toBeUndefined();
  });

  it('is converted to sRGB from another colour profile', async () => {
    const bytes = await plain(8, 8, '#c83232').withIccProfile('p3').png().toBuffer();
    const raw = await sharp(bytes, { ignoreIcc: true }).raw().toBuffer();
    const [red = 0] = await firstPixel((await normaliseLogo(bytes)).bytes);
    expect(raw[0]).toBeLessThan(195);
    expect(Math.abs(red - 200)).toBeLessThanOrEqual(2);
  });

  it('keeps its transparency', async () => {
    const bytes = await noise(8, 8, 4).png().toBuffer();
    const { bytes: kept } = await normaliseLogo(bytes);
    expect(await sharp(kept).raw().toBuffer()).toEqual(await sharp(bytes).raw().toBuffer());
  });

  it('keeps the colours of a GIF exactly', async () => {
    const bytes = await noise(40, 40).gif().toBuffer();
    const { bytes: kept } = await normaliseLogo(bytes);
    expect(await sharp(kept).removeAlpha().raw().toBuffer()).toEqual(
      await sharp(bytes).removeAlpha().raw().toBuffer(),
    );
  });

  it.each(['gif', 'webp'] as const)('of an animated %s is its first frame', async (format) => {
    const bytes = await animation(['ff0000', '00ff00', '0000ff'], format);
    expect((await sharp(bytes).metadata()).pages).toBe(3);
    const logo = await normaliseLogo(bytes);
    expect(logo).toMatchObject({ contentType: `image/${format}`, isAnimated: true });
    expect((await sharp(logo.bytes, { animated: true }).metadata()).pages ?? 1).toBe(1);
    const [red = 0, green = 0, blue = 0] = await firstPixel(logo.bytes);
    expect([red > 250, green < 5, blue < 5]).toEqual([true, true, true]);
  });

  it('grows little where it is an honest one (Contract 4.1.7.2)', async () => {
    const side = 320;
    const smooth = sharp(await noise(8, 8).png().toBuffer()).resize(side, side, { kernel: 'cubic' });
    const dots = noise(side, side).png({ palette: true, colours: 4, dither: 0 });
    const grown: Record<string, Buffer> = {
      'a smooth PNG': await smooth.png({ adaptiveFiltering: true, compressionLevel: 9 }).toBuffer(),
      'a PNG with a palette': await dots.toBuffer(),
      'a JPEG without a pattern': await noise(side, side).jpeg({ quality: 20 }).toBuffer(),
      'a WebP without a pattern': await noise(side, side).webp({ quality: 10 }).toBuffer(),
      'a GIF without a pattern': await noise(side, side).gif().toBuffer(),
    };
    for (const [what, bytes] of Object.entries(grown)) {
      const growth = (await normaliseLogo(bytes)).bytes.length / bytes.length;
      expect([what, growth < 2.5 || growth]).toEqual([what, true]);
    }
  });

  it('may be 4096 pixels a side (Contract 4.1.7.2)', async () => {
    const logo = await normaliseLogo(blackPng(4_096, 4_096));
    expect(await sharp(logo.bytes).metadata()).toMatchObject({ width: 4_096, height: 4_096 });
  });
});

describe('a picture that costs the decoder far more than its bytes (Contract 4.1.7.2, 4.1.7.9)', () => {
  it.each([
    ['a JPEG of 101 scans', jpegOfScans(101)],
    ['a PNG of 21 compressed texts', pngOfTexts(21)],
  ])('is no logo: %s', async (_, bytes) => {
    await expect(sharp(bytes).toBuffer()).resolves.toBeDefined();
    await expect(normaliseLogo(bytes)).rejects.toThrow(LogoFormatError);
  });

  it.each([
    ['a JPEG of 100 scans', jpegOfScans(100)],
    ['a PNG of 20 compressed texts', pngOfTexts(20)],
  ])('is a logo up to a bound: %s', async (_, bytes) => {
    await expect(normaliseLogo(bytes)).resolves.toBeDefined();
  });

  it('is no logo: a small PNG of which more than 20 MiB would be stored', async () => {
    const bytes = swellingPng(4_096);
    expect(bytes.length).toBeLessThan(200_000);
    // A file may grow to four times the largest that is taken: this one would grow to more than 40 MB.
    await expect(normaliseLogo(bytes, 10e6)).rejects.toMatchObject({
      name: 'LogoFormatError',
      message: 'The logo grows too large.',
    });
  });

  it('is no logo: one that takes longer than the decoder may be held', async () => {
    // eslint-disable-next-line @typescript-eslint/unbound-method -- it is called with the picture that it was called on
    const { timeout } = sharp.prototype as Sharp;
    const impatient = jest.spyOn(sharp.prototype as Sharp, 'timeout');
    impatient.mockImplementation(function (this: Sharp) {
      return timeout.call(this, { seconds: 1 });
    });
    try {
      // One of the slowest that we know: it takes 5 s of a processor.
      const bytes = await noise(4_096, 4_096, 4).webp({ effort: 0 }).toBuffer();
      await expect(normaliseLogo(bytes)).rejects.toMatchObject({
        name: 'LogoFormatError',
        cause: { message: expect.stringContaining('timeout') },
      });
    } finally {
      impatient.mockRestore();
    }
  });

  it('is forgotten once it is stored: decoded pictures would stay in memory', async () => {
    sharp.cache(true);
    await normaliseLogo(await plain(8, 8).png().toBuffer());
    expect(sharp.cache()).toMatchObject({ memory: { max: 0 }, files: { max: 0 }, items: { max: 0 } });
  });

  it('may be a JPEG that holds others within its segments', async () => {
    const scans = jpegOfScans(101);
    const thumbnail = Buffer.concat([Buffer.from([0xff, 0xe1, 0, 0]), scans]);
    thumbnail.writeUInt16BE(scans.length + 2, 2);
    const bytes = await noise(60, 60).jpeg({ progressive: true }).toBuffer();
    const holding = Buffer.concat([bytes.subarray(0, 2), thumbnail, bytes.subarray(2)]);
    expect((await normaliseLogo(holding)).hash).toBe((await normaliseLogo(bytes)).hash);
    await expect(normaliseLogo(holding.subarray(0, -2))).rejects.toThrow(LogoFormatError);
  });
});

describe('a file that is no logo (Contract 4.1.7.2)', () => {
  it.each([
    ['nothing', ''],
    ['text', 'hello'],
    ['HTML', '<!doctype html><script>alert(1)</script>'],
    [
      'an SVG',
      '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="8" height="8"/></svg>',
    ],
    [
      'an SVG with a declaration',
      '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>',
    ],
    ['a PDF', '%PDF-1.7\n%%EOF'],
    ['a BMP', 'BM\x46\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0'],
    ['a name of PNG', '\x89PNG\r\n\x1a\n<script>alert(1)</script>'],
    ['a name of GIF', 'GIF89a<script>alert(1)</script>'],
  ])('is refused: %s', async (_, text) => {
    await expect(normaliseLogo(Buffer.from(text, 'latin1'))).rejects.toThrow(LogoFormatError);
  });

  it.each(['tiff', 'avif'] as const)('is refused: a picture as %s', async (format) => {
    const bytes = await plain(8, 8).toFormat(format).toBuffer();
    await expect(normaliseLogo(bytes)).rejects.toThrow(LogoFormatError);
  });

  it.each(FORMATS)('is refused: a %s cut short anywhere', async (format) => {
    const bytes = await noise(60, 60).toFormat(format).toBuffer();
    for (const missing of [
      1,
      2,
      3,
      8,
      12,
      13,
      100,
      bytes.length >> 1,
      bytes.length - 40,
      bytes.length - 12,
    ]) {
      const cut = bytes.subarray(0, bytes.length - missing);
      await expect(normaliseLogo(cut)).rejects.toThrow(LogoFormatError);
    }
  });

  it.each([
    [4_097, 1],
    [1, 4_097],
  ])('is refused: a picture of %d × %d pixels', async (width, height) => {
    await expect(normaliseLogo(blackPng(width, height))).rejects.toThrow(LogoFormatError);
  });

  it('is refused before it is decoded: 30 000 × 30 000 pixels in 110 kB', async () => {
    const bomb = blackPng(30_000, 30_000);
    expect(bomb.length).toBeLessThan(120_000);
    const rssBefore = process.memoryUsage.rss();
    const ms = await cpuMsOf(() => expect(normaliseLogo(bomb)).rejects.toThrow(LogoFormatError));
    expect(ms).toBeLessThan(200);
    expect(process.memoryUsage.rss() - rssBefore).toBeLessThan(20 * 2 ** 20);
  });
});
