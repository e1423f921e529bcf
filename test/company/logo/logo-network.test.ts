import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Agent, type ClientRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { decodeInTurn } from '../../../src/company/logo/logo-image.js';
import { ownGateway } from '../../support/own-gateway.js';
import { noise, smallPng } from './test-images.js';
import {
  APIS,
  resetWithLogos,
  frame,
  open,
  sendLogo,
  removeUnusedLogos,
  storedLogos,
  type UploadAnswer,
} from './test-uploads.js';
import { promptMs } from '../../support/prompt.js';

const MIB = 2 ** 20;
const none = { files: 0, hasChunks: false };
const piece = Buffer.alloc(MIB, 7);

const gateway = ownGateway();
let token: string;
beforeAll(async () => void (token = await gateway.token()));
beforeEach(() => resetWithLogos(gateway));

/** With an agent, the upload must reuse the connection of `before`. */
async function assertServes(
  api: (typeof APIS)[number],
  agent?: Agent,
  before?: { request: ClientRequest },
): Promise<void> {
  if (!agent) {
    expect((await sendLogo(gateway, api, { token, file: smallPng })).logo).not.toBeNull();
    return;
  }
  const framed = frame(api, { token });
  const sending = open(gateway, framed, {}, agent);
  sending.request.end(Buffer.concat([framed.before, smallPng, framed.after]));
  expect((await sending.answer).logo).not.toBeNull();
  expect(sending.request.socket === before?.request.socket).toBe(true);
}

describe.each(APIS)('slow file over %s', (api) => {
  it('is refused at once when its announced length is too large (Contract 5.3.2, 8.4.2)', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const framed = frame(api, { token });
    const sending = open(gateway, framed, { 'content-length': String(20 * MIB) }, agent);
    await sending.write(framed.before);
    const { status, code, cpuMs } = await sending.answer;
    expect([status, code]).toEqual([413, 'payload-too-large']);
    expect(cpuMs).toBeLessThan(promptMs);
    for (let sent = framed.before.length; sent < 20 * MIB; sent += piece.length) {
      await sending.write(piece.subarray(0, 20 * MIB - sent));
    }
    sending.request.end();
    await assertServes(api, agent, sending);
    agent.destroy();
  });

  it('is refused at the first byte over the limit when no length is announced (Contract 5.3.2, 8.4.2)', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const framed = frame(api, { token });
    const sending = open(gateway, framed, {}, agent);
    let answer: UploadAnswer | undefined;
    void sending.answer.then((read) => (answer = read));
    await sending.write(framed.before);
    for (let count = 0; count < 5; count += 1) {
      await sending.write(piece);
      await sleep(50);
    }
    expect(answer).toBeUndefined();
    await sending.write(piece.subarray(0, 1));
    // The parser holds back bytes that could begin the boundary.
    await sending.write(piece.subarray(0, 1_000));
    const { status, code, cpuMs } = await sending.answer;
    expect([status, code]).toEqual([413, 'payload-too-large']);
    expect(cpuMs).toBeLessThan(promptMs);
    for (let count = 0; count < 14; count += 1) await sending.write(piece);
    sending.request.end(framed.after);
    await assertServes(api, agent, sending);
    expect((await storedLogos(gateway)).files).toBe(1);
    agent.destroy();
  });

  it('is received to its end, and delays no other caller (Contract 8.4.2)', async () => {
    const file = await noise(300, 300).png().toBuffer();
    const framed = frame(api, { token });
    const slow = Array.from({ length: 10 }, () => open(gateway, framed));
    await Promise.all(
      slow.map(async ({ write }) => {
        await write(framed.before);
        await write(file.subarray(0, file.length / 2));
      }),
    );
    await assertServes(api);
    await Promise.all(
      slow.map(async ({ request, answer }) => {
        request.end(Buffer.concat([file.subarray(file.length / 2), framed.after]));
        expect((await answer).logo).not.toBeNull();
      }),
    );
    await removeUnusedLogos(gateway);
    expect((await storedLogos(gateway)).files).toBe(1);
  });
});

describe.each(APIS)('large stalled files of one caller over %s', (api) => {
  it('leave room for the files of another caller', async () => {
    const framed = frame(api, { token });
    const stalled = Array.from({ length: 8 }, () => open(gateway, framed));
    let ended = 0;
    for (const { request, answer } of stalled) {
      void answer.catch(() => undefined).then(() => (ended += 1));
      request.write(Buffer.concat([framed.before, Buffer.alloc(4.5 * MIB)]));
    }
    await sleep(500);
    const other = await gateway.token({ sub: 'somebody-else' });
    const answers = Array.from({ length: 3 }, () =>
      sendLogo(gateway, api, { token: other, file: Buffer.alloc(4.5 * MIB) }),
    );
    for (const { faults } of await Promise.all(answers)) expect(faults).toEqual(['logo-format-error']);
    // No stalled upload has timed out yet.
    expect(ended).toBe(0);
    for (const { request } of stalled) request.destroy();
  });
});

describe.each(APIS)('connection cut during an upload over %s (Contract 8.4.2)', (api) => {
  it.each([
    ['before the file', 0],
    ['within the file', 300_000],
  ])('%s: leaves no file, and the gateway serves the next request', async (_, bytes) => {
    const file = await noise(500, 500).png().toBuffer();
    const framed = frame(api, { token });
    for (let count = 0; count < 5; count += 1) {
      const sending = open(gateway, framed);
      await sending.write(Buffer.concat([framed.before, file.subarray(0, bytes)]));
      await sleep(20);
      sending.request.destroy();
      await expect(sending.answer).rejects.toThrow();
    }
    await assertServes(api);
    expect((await storedLogos(gateway)).files).toBe(1);
    expect((await gateway.models.companies.findOne({ publicId: 'acme' }).lean())?.version).toBe(2);
  });

  it('after the file: leaves no file, and the gateway serves the next request', async () => {
    const framed = frame(api, { token });
    const sending = open(gateway, framed);
    await sending.write(Buffer.concat([framed.before, smallPng, Buffer.from('\r\n--')]));
    await sleep(50);
    sending.request.destroy();
    await sleep(200);
    expect(await storedLogos(gateway)).toEqual(none);
    await assertServes(api);
  });
});

describe.each(APIS)('upload over %s, refused before its body is read', (api) => {
  it.each([
    ['without a token', () => ({}), 401],
    ['with a bad token', () => ({ token: 'bad' }), 401],
    ['for another media', () => ({ token, fields: { media_public_id: 'other-media' } }), 401],
    ['for an unknown company', () => ({ token, fields: { company_public_id: 'nobody' } }), 404],
  ])('%s: neither stalls its connection nor stores a file (Contract 8.4.2)', async (_, of, status) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const framed = frame(api, of());
    const sending = open(gateway, framed, {}, agent);
    sending.request.end(Buffer.concat([framed.before, Buffer.alloc(4 * MIB), framed.after]));
    const answer = await sending.answer;
    expect(answer.status).toBe(status);
    expect(answer.cpuMs).toBeLessThan(promptMs);
    expect(await storedLogos(gateway)).toEqual(none);
    await assertServes(api, agent, sending);
    agent.destroy();
  });
});

describe('order of checks over REST (Contract 7.1.1)', () => {
  it('checks the size and format of the body before role and scope', async () => {
    const weak = await gateway.token({ roles: [], scope: '' });
    const framed = frame('rest', { token: weak });
    const tooLarge = open(gateway, framed, { 'content-length': String(20 * MIB) });
    await tooLarge.write(framed.before);
    expect((await tooLarge.answer).status).toBe(413);
    tooLarge.request.destroy();

    const broken = open(gateway, framed);
    broken.request.end(Buffer.concat([framed.before, Buffer.alloc(100)]));
    expect(await broken.answer).toMatchObject({ status: 400, code: 'body-format-error' });

    expect(await sendLogo(gateway, 'rest', { token: weak, file: smallPng })).toMatchObject({ status: 401 });
  });
});

describe('order of checks over GraphQL (Contract 5.3.5, 7.1.1)', () => {
  it('refuses a caller without the scope before the file arrives', async () => {
    const reader = await gateway.token({ scope: 'r_companies' });
    const framed = frame('graphql', { token: reader, fields: {} });
    const sending = open(gateway, framed);
    await sending.write(Buffer.concat([framed.before, Buffer.alloc(1_000)]));
    const { status, code } = await sending.answer;
    expect([status, code]).toEqual([401, 'unauthorized-limitation']);
    sending.request.destroy();
  });
});

/** Keeps the decoder busy until the returned function is called. */
function holdUp(): () => void {
  let goOn!: () => void;
  void decodeInTurn('another', () => new Promise<void>((resolve) => (goOn = resolve)));
  return () => goOn();
}

const shed = async () => {
  const text = await (await fetch(`${gateway.url}/metrics`)).text();
  return Number(/^gateway_load_shed_total\{reason="logos"\} (\d+)/m.exec(text)?.[1] ?? 0);
};

describe('logo while the decoder is busy', () => {
  it('gets 503 over either API and is not stored if it waits 5 s; is accepted after a shorter wait', async () => {
    const shedBefore = await shed();
    const goOn = holdUp();
    const startedAtMs = performance.now();
    const early = APIS.map(async (api) => {
      const answer = await sendLogo(gateway, api, { token, file: smallPng });
      return { ...answer, ms: performance.now() - startedAtMs };
    });
    await sleep(4_000);
    const late = sendLogo(gateway, 'rest', { token, file: smallPng });
    let isAnswered = false;
    void late.then(() => (isAnswered = true));
    for (const { status, code, headers, ms } of await Promise.all(early)) {
      expect([status, code, headers.get('retry-after')]).toEqual([503, 'service-unavailable', '5']);
      expect(ms).toBeGreaterThan(4_900);
      // Without the limit, the uploads would wait for `goOn` below.
      expect(ms).toBeLessThan(30_000);
    }
    expect((await shed()) - shedBefore).toBe(2);
    expect(await storedLogos(gateway)).toEqual({ files: 0, hasChunks: false });
    expect((await gateway.models.companies.findOne({ publicId: 'acme' }).lean())?.version).toBe(1);
    await sleep(500);
    expect(isAnswered).toBe(false);
    goOn();
    expect((await late).status).toBe(201);
  });
});
