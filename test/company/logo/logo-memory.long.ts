import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Installation, shareDatabase } from '../../reliability/support/installation.js';
import { type Running, startGatewayProcess } from '../../support/process.js';
import { noise, plain, pngChunk } from './test-images.js';
import { APIS, frame, open, sendLogo, type UploadAnswer } from './test-uploads.js';

const MIB = 2 ** 20;
const uploads = 50;
const mostAddedMib = 150;

let database: Installation;
let gateway: Running;
let token: string;

beforeAll(async () => {
  // In the gateway's process, the database's memory would be measured too; in this process, the senders would slow the database down.
  database = await shareDatabase();
  ({ token } = database);
});
afterAll(() => database.remove());

async function residentMib(): Promise<number> {
  const status = await readFile(`/proc/${gateway.child.pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1_024;
}

async function mostMib(run: () => Promise<unknown>): Promise<number> {
  let most = await residentMib();
  let isRunning = true;
  const watching = (async () => {
    while (isRunning) {
      most = Math.max(most, await residentMib());
      await sleep(5);
    }
  })();
  await run();
  isRunning = false;
  await watching;
  return most;
}

/**
 * Files just under 5 MiB: one in ten is a large picture, the others are a small picture with padding. Pictures are decoded one at a
 * time, so more large pictures would cost time but no memory.
 */
async function fiftyFiles(): Promise<Buffer[]> {
  const largest = await noise(1_300, 1_300).png({ compressionLevel: 0 }).toBuffer();
  const picture = await noise(100, 100).png().toBuffer();
  const headerEnd = 33;
  const padded = Buffer.concat([
    picture.subarray(0, headerEnd),
    pngChunk('prIv', randomBytes(4.9 * MIB)),
    picture.subarray(headerEnd),
  ]);
  return Array.from({ length: uploads }, (_, index) => (index % 10 === 0 ? largest : padded));
}

/** Only Linux has `/proc`. */
const onLinux = process.platform === 'linux' ? describe : describe.skip;

onLinux.each(APIS)('fifty uploads of 5 MiB at once over %s (Contract 8.4.2)', (api) => {
  /** In MiB, before the first test. A new measurement before the second test would hide the growth in the first. */
  let before: number;
  beforeAll(async () => {
    gateway = await startGatewayProcess({
      ...database.environment,
      REQUEST_TIMEOUT: '5m',
      DATABASE_TIMEOUT: '1m',
    });
    // The first logo loads code that stays in memory.
    const first = await plain(8, 8, '#abc').png().toBuffer();
    await sendLogo(gateway, api, { token, file: first });
    before = await residentMib();
  });
  afterAll(() => gateway.end('SIGTERM'));

  it(`are all answered, with at most ${mostAddedMib} MiB more memory`, async () => {
    const files = await fiftyFiles();
    for (const { length } of files) {
      expect(length).toBeGreaterThan(4.8 * MIB);
      expect(length).toBeLessThan(5 * MIB);
    }
    let answers: UploadAnswer[] = [];
    const most = await mostMib(async () => {
      answers = await Promise.all(files.map((file) => sendLogo(gateway, api, { token, file })));
    });
    expect(answers.map(({ status, code }) => [status, code]).filter(([, code]) => code !== null)).toEqual([]);
    expect(answers).toHaveLength(uploads);
    expect(most - before).toBeLessThanOrEqual(mostAddedMib);
  });

  it('cut halfway, do not stop the gateway, and add no more memory than whole uploads', async () => {
    const framed = frame(api, { token });
    const half = Buffer.alloc(2.5 * MIB);
    const most = await mostMib(async () => {
      for (let round = 0; round < 3; round += 1) {
        await Promise.all(
          Array.from({ length: uploads }, async () => {
            const sending = open(gateway, framed);
            sending.request.write(framed.before);
            sending.request.write(half);
            await sleep(150);
            sending.request.destroy();
          }),
        );
      }
    });
    expect(most - before).toBeLessThanOrEqual(mostAddedMib);
    const file = await plain(8, 8, '#fff').png().toBuffer();
    expect((await sendLogo(gateway, api, { token, file })).logo).not.toBeNull();
    expect(gateway.child.exitCode).toBeNull();
  });
});
