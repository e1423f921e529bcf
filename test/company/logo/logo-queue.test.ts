import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { decodeInTurn } from '../../../src/company/logo/decode-in-turn.js';
import { ownGateway } from '../../support/own-gateway.js';
import { plain } from './test-images.js';
import { DOORS, sendLogo, storedLogos } from './test-uploads.js';

const gateway = ownGateway();
let token: string;
beforeAll(async () => void (token = await gateway.token()));

/** Keeps the decoder busy until `goOn` is called, as a picture does that takes long. */
function holdUp(): () => void {
  let goOn!: () => void;
  void decodeInTurn('another', () => new Promise<void>((resolve) => (goOn = resolve)));
  return () => goOn();
}

const shed = async () => {
  const text = await (await fetch(`${gateway.url}/metrics`)).text();
  return Number(/^gateway_load_shed_total\{reason="logos"\} (\d+)/m.exec(text)?.[1] ?? 0);
};

describe('a logo while others take long to be decoded (Contract 4.1.7.9)', () => {
  it('waits for its turn, but no longer than 5 s: then it is 503 through either door, and nothing is kept; one that comes in time is taken, and passes none that gave up (Contract 4.1.7.9, 11.6)', async () => {
    const goOn = holdUp();
    const startedAtMs = performance.now();
    const file = await plain(8, 8).png().toBuffer();
    const early = DOORS.map(async (door) => {
      const answer = await sendLogo(gateway, door, { token, file });
      return { ...answer, ms: performance.now() - startedAtMs };
    });
    await sleep(4_000);
    const late = sendLogo(gateway, 'rest', { token, file });
    let isAnswered = false;
    void late.then(() => (isAnswered = true));
    for (const { status, code, headers, ms } of await Promise.all(early)) {
      expect([status, code, headers.get('retry-after')]).toEqual([503, 'service-unavailable', '5']);
      expect(ms).toBeGreaterThan(4_900);
      // Without the bound on their wait, they would wait for goOn, which is never called before they end.
      expect(ms).toBeLessThan(30_000);
    }
    expect(await shed()).toBe(2);
    expect(await storedLogos(gateway)).toEqual({ files: 0, hasChunks: false });
    expect((await gateway.models.companies.findOne({ publicId: 'acme' }).lean())?.version).toBe(1);
    await sleep(500);
    expect(isAnswered).toBe(false);
    goOn();
    expect((await late).status).toBe(201);
  });
});

describe.each(DOORS)('five large pictures of one caller through the door %s', (door) => {
  it('keep the logo of another waiting for one of them at most (Contract 4.1.7.9)', async () => {
    const goOn = holdUp();
    const large = await plain(3_000, 3_000).png().toBuffer();
    let answered = 0;
    const theirs = Array.from({ length: 5 }, async () => {
      const { status } = await sendLogo(gateway, door, { token, file: large, dryRun: true });
      answered += 1;
      return status;
    });
    await sleep(1_000);
    const other = await gateway.token({ sub: 'somebody-else' });
    const mine = sendLogo(gateway, door, { token: other, file: await plain(8, 8).png().toBuffer() });
    await sleep(1_000);
    goOn();
    expect((await mine).logo).not.toBeNull();
    expect(answered).toBeLessThan(3);
    expect(new Set(await Promise.all(theirs)).size).toBe(1);
  });
});
