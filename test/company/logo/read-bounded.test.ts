import { PassThrough, Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { readBounded } from '../../../src/company/logo/read-bounded.js';

const tooLarge = { code: 'payload-too-large' };

function pieces(count: number, size: number): Buffer[] {
  return Array.from({ length: count }, (_, index) => Buffer.alloc(size, index));
}

describe('reading a logo from a stream', () => {
  it('returns all bytes in order, up to exactly the limit', async () => {
    const sent = pieces(5, 20);
    expect(await readBounded(Readable.from(sent), 100)).toEqual(Buffer.concat(sent));
    expect(await readBounded(Readable.from([]), 100)).toEqual(Buffer.alloc(0));
  });

  it('stops at the first byte over the limit, and discards the rest (Contract 4.1.7.3, 8.6.2)', async () => {
    const stream = new PassThrough({ highWaterMark: 10 });
    const reading = readBounded(stream, 100);
    stream.write(Buffer.alloc(101));
    await expect(reading).rejects.toMatchObject(tooLarge);
    const ended = new Promise((resolve) => stream.once('end', resolve));
    for (const piece of pieces(20, 1_000)) {
      if (!stream.write(piece)) await new Promise((resolve) => stream.once('drain', resolve));
    }
    stream.end();
    await ended;
    expect(stream.errored).toBeNull();
  });

  it('survives an error of the stream after a refusal', async () => {
    const stream = new PassThrough();
    const reading = readBounded(stream, 1);
    stream.write(Buffer.alloc(2));
    await expect(reading).rejects.toMatchObject(tooLarge);
    stream.destroy(new Error('late'));
    await setImmediate();
    expect(stream.destroyed).toBe(true);
  });

  it('fails with the error of the stream', async () => {
    const stream = new PassThrough();
    const reading = readBounded(stream, 100);
    stream.write(Buffer.alloc(10));
    stream.destroy(new Error('the line is cut'));
    await expect(reading).rejects.toThrow('the line is cut');
  });

  it('fails when the stream closes before its end', async () => {
    const stream = new PassThrough();
    const reading = readBounded(stream, 100);
    stream.write(Buffer.alloc(10));
    await setImmediate();
    stream.destroy();
    await expect(reading).rejects.toMatchObject({ code: 'ERR_STREAM_PREMATURE_CLOSE' });
  });

  it('fails when the stream is already closed', async () => {
    const stream = new PassThrough();
    stream.destroy();
    await setImmediate();
    await expect(readBounded(stream, 100)).rejects.toMatchObject({ code: 'ERR_STREAM_PREMATURE_CLOSE' });
  });

  it('makes the sender wait while there is no room', async () => {
    let makeRoom = () => {};
    const room = new Promise<void>((resolve) => (makeRoom = resolve));
    const stream = new PassThrough({ highWaterMark: 10 });
    const reading = readBounded(stream, 100, () => room);
    stream.write(Buffer.alloc(10));
    await setImmediate();
    stream.write(Buffer.alloc(10));
    await setImmediate();
    expect(stream.write(Buffer.alloc(10))).toBe(false);
    stream.end();
    makeRoom();
    expect(await reading).toEqual(Buffer.alloc(30));
  });
});
