import { PassThrough, Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { LogoFormatError } from '../../../src/company/logo/logo-format-error.js';
import { LogoIntake } from '../../../src/company/logo/logo-intake.js';
import { LogoTooLargeError } from '../../../src/company/logo/logo-too-large-error.js';
import { noise, plain } from './test-images.js';

const MIB = 2 ** 20;

describe('receiving logos', () => {
  it('makes an image of a stream', async () => {
    const bytes = await plain(8, 8).png().toBuffer();
    expect(await new LogoIntake(5 * MIB).receive(Readable.from([bytes]))).toMatchObject({
      contentType: 'image/png',
    });
  });

  it('refuses a file over the bound, and one that is no image', async () => {
    const intake = new LogoIntake(100);
    await expect(intake.receive(Readable.from([Buffer.alloc(101)]))).rejects.toThrow(LogoTooLargeError);
    await expect(intake.receive(Readable.from([Buffer.alloc(100)]))).rejects.toThrow(LogoFormatError);
  });

  it('takes more files at once than it holds in memory, whichever sender stops', async () => {
    const intake = new LogoIntake(5 * MIB);
    const bytes = await noise(1_100, 1_100).png().toBuffer();
    const cut = new PassThrough();
    const failing = intake.receive(cut);
    cut.write(bytes.subarray(0, MIB));
    const received = Promise.all(
      Array.from({ length: 24 }, () => intake.receive(Readable.from(inPieces(bytes)))),
    );
    cut.destroy(new Error('the line is cut'));
    await expect(failing).rejects.toThrow('the line is cut');
    expect(new Set((await received).map((logo) => logo.hash)).size).toBe(1);
  });

  it('is not kept waiting by senders who send slowly', async () => {
    const intake = new LogoIntake(5 * MIB);
    const slow = Array.from({ length: 60 }, () => new PassThrough());
    const waiting = slow.map((stream) => {
      stream.write(Buffer.alloc(1_000));
      return intake.receive(stream).catch(() => 'gone');
    });
    const bytes = await plain(8, 8).png().toBuffer();
    expect(await intake.receive(Readable.from([bytes]))).toMatchObject({ contentType: 'image/png' });
    for (const stream of slow) stream.destroy();
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['gone']));
  });
});

function* inPieces(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += 65_536) yield bytes.subarray(start, start + 65_536);
}
