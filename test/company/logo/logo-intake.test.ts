import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { LogoIntake } from '../../../src/company/logo/logo-intake.js';
import { readLogo } from '../../../src/company/logo/logo.service.js';
import { noise } from './test-images.js';

const MIB = 2 ** 20;

const streamed = (stream: Readable) => ({ createReadStream: () => stream });
const receive = (intake: LogoIntake, stream: Readable, caller = 'caller') =>
  intake.lend(caller, async (hold) => (await hold(streamed(stream))).bytes);

describe('receiving logo files', () => {
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

  it("counts the re-encoded picture too: the caller's next file waits for the end of the request", async () => {
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
});

function* inPieces(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += 65_536) yield bytes.subarray(start, start + 65_536);
}
