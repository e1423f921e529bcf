import { describe, expect, it, jest } from '@jest/globals';
import sharp, { type Sharp } from 'sharp';
import { LogoFormatError } from '../../../src/company/logo/logo-errors.js';
import { reencodeLogo as normaliseFile } from '../../../src/company/logo/logo-image.js';
import { mostStoredBytes } from '../../../src/company/logo/logo-intake.js';
import { cpuMsOf, promptMs } from '../../support/prompt.js';
import { sha256 } from '../../support/trusted.js';
import {
  animation,
  blackPng,
  FORMATS,
  jpegOfScans,
  noise,
  plain,
  pngOfTexts,
  smallPng,
  swellingPng,
} from './test-images.js';

const reencode = (bytes: Buffer, maxFileBytes = 5 * 2 ** 20) =>
  normaliseFile({ bytes, caller: 'caller', mostStoredBytes: mostStoredBytes(maxFileBytes) });

async function firstPixel(bytes: Buffer): Promise<number[]> {
  return [...(await sharp(bytes).removeAlpha().raw().toBuffer()).subarray(0, 3)];
}

describe('reencode (Contract 5.3.3)', () => {
  it.each(FORMATS)(
    'keeps the format and size of a %s, and names it by the hash of the stored bytes',
    async (format) => {
      const logo = await reencode(await plain(30, 20).toFormat(format).toBuffer());
      expect(logo.contentType).toBe(`image/${format}`);
      expect(await sharp(logo.bytes).metadata()).toMatchObject({ format, width: 30, height: 20 });
      expect(logo.hash).toBe(sha256(logo.bytes));
    },
  );

  it('removes data hidden after the picture', async () => {
    const bytes = Buffer.concat([smallPng, Buffer.from('<script>alert(1)</script>')]);
    expect((await reencode(bytes)).bytes.includes('script')).toBe(false);
  });

  it.each(FORMATS)('accepts a %s with extra bytes after its end', async (format) => {
    const whole = await noise(60, 60).toFormat(format).toBuffer();
    const { hash } = await reencode(whole);
    for (const rest of ['x', '\0\0', ';', '!'])
      expect((await reencode(Buffer.concat([whole, Buffer.from(rest)]))).hash).toBe(hash);
  });

  it('accepts a GIF with comments, frame palettes and stray bytes between blocks', async () => {
    const frames = await animation(['ff0000', '00ff00'], 'gif');
    const comment = Buffer.from('!\xfe\x02;;\0', 'latin1');
    const stray = Buffer.concat([frames.subarray(0, -1), comment, Buffer.from('\0;x')]);
    await expect(reencode(stray)).resolves.toMatchObject({ contentType: 'image/gif' });
    const endless = Buffer.concat([frames.subarray(0, -1), comment]);
    await expect(reencode(endless)).rejects.toThrow(LogoFormatError);
  });

  it('turns the picture upright before it drops the orientation', async () => {
    const bytes = await plain(30, 20).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    const metadata = await sharp((await reencode(bytes)).bytes).metadata();
    expect(metadata).toMatchObject({ width: 20, height: 30 });
    expect(metadata.orientation).toBeUndefined();
  });

  it('converts another colour profile to sRGB', async () => {
    const bytes = await plain(8, 8, '#c83232').withIccProfile('p3').png().toBuffer();
    const raw = await sharp(bytes, { ignoreIcc: true }).raw().toBuffer();
    const [red = 0] = await firstPixel((await reencode(bytes)).bytes);
    expect(raw[0]).toBeLessThan(195);
    expect(Math.abs(red - 200)).toBeLessThanOrEqual(2);
  });

  it('keeps transparency', async () => {
    const bytes = await noise(8, 8, 4).png().toBuffer();
    const { bytes: kept } = await reencode(bytes);
    expect(await sharp(kept).raw().toBuffer()).toEqual(await sharp(bytes).raw().toBuffer());
  });

  it('accepts 4096 pixels a side (Contract 5.3.2)', async () => {
    const logo = await reencode(blackPng(4_096, 4_096));
    expect(await sharp(logo.bytes).metadata()).toMatchObject({ width: 4_096, height: 4_096 });
  });
});

describe('reencode with a small file that is costly to decode (Contract 5.3.2)', () => {
  it('rejects a JPEG of 101 scans, and accepts one of 100', async () => {
    await expect(sharp(jpegOfScans(101)).toBuffer()).resolves.toBeDefined();
    await expect(reencode(jpegOfScans(101))).rejects.toThrow('This image has over 100 scans.');
    await expect(reencode(jpegOfScans(100))).resolves.toBeDefined();
  });

  it.each(['zTXt', 'iTXt'] as const)('does not inflate twenty texts of 50 MB in a PNG (%s)', async (type) => {
    const bytes = pngOfTexts(20, 50e6, type);
    const { hash } = await reencode(blackPng(8, 8));
    expect(await cpuMsOf(async () => expect((await reencode(bytes)).hash).toBe(hash))).toBeLessThan(promptMs);
  });

  it('rejects a small PNG that would exceed 16 MiB when stored', async () => {
    const bytes = swellingPng(4_096);
    expect(bytes.length).toBeLessThan(200_000);
    await expect(reencode(bytes, 10e6)).rejects.toThrow('This image takes over 16 MiB when stored.');
  });

  it('rejects a picture that the decoder cannot read in time', async () => {
    // eslint-disable-next-line @typescript-eslint/unbound-method -- `timeout.call` below passes the picture
    const { timeout } = sharp.prototype as Sharp;
    const impatient = jest.spyOn(sharp.prototype as Sharp, 'timeout');
    impatient.mockImplementation(function (this: Sharp) {
      return timeout.call(this, { seconds: 1 });
    });
    try {
      // One of the slowest pictures: 5 s of processor time.
      const bytes = await noise(4_096, 4_096, 4).webp({ effort: 0 }).toBuffer();
      await expect(reencode(bytes)).rejects.toMatchObject({
        name: 'LogoFormatError',
        message: 'This image takes too long to read. Choose another image.',
        cause: { message: expect.stringContaining('timeout') },
      });
    } finally {
      impatient.mockRestore();
    }
  });

  it('accepts a JPEG with other JPEGs in its segments', async () => {
    const scans = jpegOfScans(101);
    const thumbnail = Buffer.concat([Buffer.from([0xff, 0xe1, 0, 0]), scans]);
    thumbnail.writeUInt16BE(scans.length + 2, 2);
    const bytes = await noise(60, 60).jpeg({ progressive: true }).toBuffer();
    const holding = Buffer.concat([bytes.subarray(0, 2), thumbnail, bytes.subarray(2)]);
    expect((await reencode(holding)).hash).toBe((await reencode(bytes)).hash);
    await expect(reencode(holding.subarray(0, -2))).rejects.toThrow(LogoFormatError);
  });
});

describe('reencode with a file that is not a logo (Contract 5.3.2)', () => {
  it.each([
    ['nothing', '', 'This file is empty.'],
    ['text', 'hello', 'This file is not an image.'],
    ['HTML', '<!doctype html><script>alert(1)</script>', 'This file is not an image.'],
    [
      'an SVG',
      '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="8" height="8"/></svg>',
      'The format of this file is SVG.',
    ],
    [
      'an SVG with declarations',
      '<?xml version="1.0"?>\n<!-- x -->\n<!DOCTYPE svg>\n<svg xmlns="http://www.w3.org/2000/svg"/>',
      'The format of this file is SVG.',
    ],
    [
      'an SVG with entities',
      '<!DOCTYPE svg [ <!ENTITY a "b"> <!ENTITY c "d"> ]>\n<svg xmlns="http://www.w3.org/2000/svg"/>',
      'The format of this file is SVG.',
    ],
    ['XML', '<?xml version="1.0"?><logo/>', 'The format of this file is XML.'],
    ['a PDF', '%PDF-1.7\n%%EOF', 'The format of this file is PDF.'],
    ['a BMP', 'BM\x46\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0', 'The format of this file is BMP.'],
    [
      'a PNG signature before HTML',
      '\x89PNG\r\n\x1a\n<script>alert(1)</script>',
      'This file is not an image.',
    ],
    [
      'a GIF signature before HTML',
      'GIF89a<script>alert(1)</script>',
      'This image is incomplete or damaged.',
    ],
  ])('rejects %s, and says what it is', async (_, text, says) => {
    const refused = expect(reencode(Buffer.from(text, 'latin1'))).rejects;
    await refused.toMatchObject({
      name: 'LogoFormatError',
      message: expect.stringMatching(new RegExp(`^${says} Choose a`)),
    });
  });

  it.each(['tiff', 'avif'] as const)('rejects a picture in %s', async (format) => {
    const bytes = await plain(8, 8).toFormat(format).toBuffer();
    await expect(reencode(bytes)).rejects.toThrow(LogoFormatError);
  });

  it.each(FORMATS)('rejects a %s cut short at any point', async (format) => {
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
      await expect(reencode(cut)).rejects.toThrow(LogoFormatError);
    }
  });

  it.each([
    [4_097, 1],
    [1, 4_097],
    [30_000, 30_000],
  ])('rejects a picture of %d × %d pixels, and says its size', async (width, height) => {
    const [across, down] = [width, height].map((side) => side.toLocaleString('en').replace(',', ' '));
    const end = 'Choose an image of at most 4 096 pixels a side.';
    await expect(reencode(blackPng(width, height))).rejects.toMatchObject({
      name: 'LogoFormatError',
      message: `This image has ${across} × ${down} pixels. ${end}`,
    });
  });
});
