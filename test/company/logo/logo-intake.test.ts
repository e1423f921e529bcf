import { PassThrough, Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { LogoIntake } from '../../../src/company/logo/logo-intake.js';
import { readLogo } from '../../../src/company/logo/logo.service.js';
import { noise } from './test-images.js';

const MIB = 2 ** 20;

const streamed = (stream: Readable) => ({ createReadStream: () => stream });
const receive = (intake: LogoIntake, stream: Readable, caller = 'caller') =>
  intake.lend(caller, async (hold) => (await hold(streamed(stream))).bytes);

describe('receiving logo files', () => {
  it('returns the whole content of a stream', async () => {
    const bytes = Buffer.alloc(3 * MIB, 7);
    expect(bytes.equals(await receive(new LogoIntake(5 * MIB), Readable.from(inPieces(bytes))))).toBe(true);
  });

  it('accepts a file of exactly the limit, and refuses one byte more', async () => {
    const intake = new LogoIntake(100);
    await expect(receive(intake, Readable.from([Buffer.alloc(101)]))).rejects.toMatchObject({
      code: 'payload-too-large',
    });
    expect(await receive(intake, Readable.from([Buffer.alloc(100)]))).toHaveLength(100);
  });

  it('neither copies nor counts a file again that an outer call holds', async () => {
    const intake = new LogoIntake(40 * MIB);
    const all = Array.from({ length: 3 }, () =>
      intake.lend('caller', async (hold) => {
        const file = await hold(streamed(Readable.from([Buffer.alloc(20 * MIB)])));
        const again = await intake.lend('caller', (holdInside) => holdInside(file));
        expect(again === file).toBe(true);
      }),
    );
    await Promise.all(all);
  });

  it('lets all uploads finish even if each needs more memory than is left', async () => {
    const intake = new LogoIntake(5 * MIB);
    const finished = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        intake.lend('caller', async (hold) => {
          const file = await hold(streamed(Readable.from(inPieces(Buffer.alloc(5 * MIB)))));
          await intake.lend('caller', async (holdInside) => (await holdInside(file)).holdMore(8 * MIB));
          return index;
        }),
      ),
    );
    expect(finished).toHaveLength(12);
  });

  it("counts the re-encoded picture too: the caller's next file waits for the end of the request (Contract 8.6.9)", async () => {
    const intake = new LogoIntake(5 * MIB);
    const picture = await noise(800, 500).png().toBuffer();
    // The file alone would leave room for the caller's next file.
    expect(picture.length).toBeLessThan(1.5 * MIB);
    const small = () => Readable.from([Buffer.alloc(100)]);
    let next: Promise<Buffer> | undefined;
    await intake.lend('caller', async (hold) => {
      const { image } = await readLogo(hold(streamed(Readable.from(inPieces(picture)))), () => undefined);
      expect(image?.bytes.length).toBeGreaterThan(MIB);
      next = receive(intake, small());
      const others = receive(intake, small(), 'another caller');
      expect(await Promise.race([next.then(() => 'the next'), others.then(() => 'that of another')])).toBe(
        'that of another',
      );
    });
    expect(await next).toHaveLength(100);
  });

  it('accepts more files at once than fit in memory, even if one sender is cut off', async () => {
    const intake = new LogoIntake(5 * MIB);
    const bytes = Buffer.alloc(4 * MIB);
    const cut = new PassThrough();
    const failing = receive(intake, cut);
    cut.write(bytes.subarray(0, MIB));
    const received = Promise.all(
      Array.from({ length: 24 }, () => receive(intake, Readable.from(inPieces(bytes)))),
    );
    cut.destroy(new Error('the line is cut'));
    await expect(failing).rejects.toThrow('the line is cut');
    expect((await received).map(({ length }) => length)).toEqual(Array(24).fill(4 * MIB));
  });

  it('is not blocked by slow senders, even when memory is short', async () => {
    const intake = new LogoIntake(5 * MIB);
    const slow = Array.from({ length: 60 }, () => new PassThrough());
    const waiting = slow.map((stream) => {
      stream.write(Buffer.alloc(1_000));
      return receive(intake, stream).catch(() => 'gone');
    });
    const bytes = Buffer.alloc(5 * MIB);
    const fast = await Promise.all(
      Array.from({ length: 20 }, () => receive(intake, Readable.from(inPieces(bytes)))),
    );
    expect(fast).toHaveLength(20);
    for (const stream of slow) stream.destroy();
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['gone']));
  });
});

function* inPieces(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += 65_536) yield bytes.subarray(start, start + 65_536);
}
