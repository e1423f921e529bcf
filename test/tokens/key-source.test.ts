import { describe, expect, it } from '@jest/globals';
import { exportJWK, generateKeyPair, type JWK, type JWTVerifyGetKey } from 'jose';
import { createKeySource } from '../../src/tokens/key-source.js';

const publicKey = async (kid: string): Promise<JWK> => ({
  ...(await exportJWK((await generateKeyPair('ES256')).publicKey)),
  kid,
});
const [first, second] = await Promise.all([publicKey('first'), publicKey('second')]);

function place() {
  const state = {
    keys: [first] as JWK[],
    nowMs: 0,
    reads: 0,
    told: [] as string[],
    isAway: false,
    isSilent: false,
  };
  const { resolve, staleSeconds, isWell } = createKeySource({
    url: new URL('https://id.example/keys'),
    load: async () => {
      state.reads++;
      await new Promise((resolve) => setImmediate(resolve));
      if (state.isSilent) await new Promise(() => {});
      if (state.isAway) throw new Error('away');
      return { keys: state.keys };
    },
    report: (what) => state.told.push(what),
    nowMs: () => state.nowMs,
  });
  return { state, source: resolve, staleSeconds, isWell, find: (kid?: string) => find(resolve, kid) };
}

async function find(source: JWTVerifyGetKey, kid?: string): Promise<string> {
  const header = kid === undefined ? { alg: 'ES256' } : { alg: 'ES256', kid };
  try {
    await source(header, { payload: '', signature: '' });
    return 'found';
  } catch (error) {
    return (error as { code: string }).code;
  }
}

const unknown = 'ERR_JWKS_NO_MATCHING_KEY';

describe('a key source (Contract 3.1.3)', () => {
  it('reads once for many tokens, and again after 15 seconds', async () => {
    const { state, find } = place();
    await Promise.all(Array.from({ length: 50 }, () => find('first')));
    state.nowMs = 15_000;
    await find('first');
    expect(state.reads).toBe(1);
    state.nowMs = 15_001;
    await Promise.all(Array.from({ length: 50 }, () => find('first')));
    expect(state.reads).toBe(2);
  });

  it('finds an added key at once', async () => {
    const { state, find } = place();
    await find('first');
    state.keys = [first, second];
    expect(await find('second')).toBe('found');
    expect(await find('first')).toBe('found');
  });

  it('forgets a removed key within 15 seconds', async () => {
    const { state, find } = place();
    await find('first');
    state.keys = [second];
    state.nowMs = 15_001;
    expect(await find('first')).toBe(unknown);
  });

  it('reads at most once in 5 seconds for unknown kids', async () => {
    const { state, find } = place();
    await find('first');
    for (let second = 0; second < 10; second++) {
      state.nowMs = second * 1_000;
      const answers = await Promise.all(Array.from({ length: 100 }, (_, index) => find(`made-up-${index}`)));
      expect(new Set(answers)).toEqual(new Set([unknown]));
    }
    expect(state.reads).toBe(3);
  });

  it('accepts a token without a kid only if exactly one key fits', async () => {
    const { state, find } = place();
    expect(await find()).toBe('found');
    state.keys = [first, second];
    state.nowMs = 15_001;
    expect(await find()).toBe('ERR_JWKS_MULTIPLE_MATCHING_KEYS');
  });

  it('does not make tokens of a known key wait when a load hangs after a failed load', async () => {
    const { state, find } = place();
    await find('first');
    state.isAway = true;
    state.nowMs = 16_000;
    expect(await find('first')).toBe('found');
    state.nowMs = 21_000;
    state.isSilent = true;
    expect(await find('first')).toBe('found');
    expect(state.reads).toBe(3);
  });

  it.each([
    [31_000, 'found'],
    [31_001, unknown],
    [3_300_000, unknown],
  ])(
    'serves a removed key for at most 15 s after a failed load at 16 s: at %d ms the lookup gives %s',
    async (nowMs, code) => {
      const { state, find } = place();
      await find('first');
      state.isAway = true;
      state.nowMs = 16_000;
      expect(await find('first')).toBe('found');
      Object.assign(state, { isAway: false, keys: [second], nowMs });
      expect(await find('first')).toBe(code);
    },
  );

  it('leaves out a key whose point is off its curve, and logs the key again only after a change of the set', async () => {
    const { state, find } = place();
    const broken = { ...first, x: second.x, kid: 'broken' };
    const sets = [
      [broken, first],
      [broken, first],
      [first],
      [broken, first],
      [first, { ...broken, kid: 'other' }],
    ];
    for (const [index, keys] of sets.entries()) {
      Object.assign(state, { keys, nowMs: index * 15_001 });
      expect(await find('broken')).toBe(unknown);
    }
    const warning = 'broken keys are skipped: ["broken"]';
    expect(state.told).toEqual([warning, warning, 'broken keys are skipped: ["other"]']);
  });

  const useless = 'the key set has no usable key';
  it.each([
    ['is empty', () => [], useless],
    ['has no usable key', () => [{ ...first, ...(second.x !== undefined && { x: second.x }) }], useless],
    ['cannot be loaded', null, 'away'],
  ])('keeps its keys for an hour while the set %s, and then fails', async (_, keysOf, cause) => {
    const { state, source, find, staleSeconds } = place();
    expect(await find('first')).toBe('found');
    expect(staleSeconds()).toBe(0);
    if (keysOf) state.keys = keysOf();
    else state.isAway = true;
    for (const nowMs of [16_000, 1_800_000, 3_600_000]) {
      state.nowMs = nowMs;
      expect(await find('first')).toBe('found');
      expect(staleSeconds()).toBe(nowMs / 1_000);
    }
    state.nowMs = 3_600_001;
    expect(await find('first')).toBe('service-unavailable');
    await expect(
      source({ alg: 'ES256', kid: 'first' }, { payload: '', signature: '' }),
    ).rejects.toMatchObject({ details: { cause: new Error(cause) } });
    Object.assign(state, { keys: [first], isAway: false, nowMs: 3_610_000 });
    expect(await find('first')).toBe('found');
    expect(staleSeconds()).toBe(0);
  });

  it('is infinitely old and not well until its first load succeeds, and not well once its keys are an hour old (Contract 9.3.1)', async () => {
    const { state, isWell, staleSeconds } = place();
    expect(staleSeconds()).toBe(0);
    state.isAway = true;
    expect([await isWell(), await isWell(), state.reads]).toEqual([false, false, 1]);
    expect(staleSeconds()).toBe(Infinity);
    Object.assign(state, { isAway: false, nowMs: 5_000 });
    expect([await isWell(), await isWell(), state.reads]).toEqual([true, true, 2]);
    Object.assign(state, { isAway: true, nowMs: 3_605_000 });
    expect([await isWell(), state.reads]).toEqual([true, 2]);
    state.nowMs += 1;
    expect(await isWell()).toBe(false);
  });

  it('while loads fail, rejects an unknown kid and says how many seconds to wait', async () => {
    const { state, source, find } = place();
    await find('first');
    state.isAway = true;
    expect(await find('second')).toBe('service-unavailable');
    state.nowMs = 2_500;
    await expect(
      source({ alg: 'ES256', kid: 'second' }, { payload: '', signature: '' }),
    ).rejects.toMatchObject({
      details: { cause: new Error('away'), retryAfterSeconds: 3 },
    });
    expect(await find('first')).toBe('found');
    expect(state.reads).toBe(2);
    Object.assign(state, { isAway: false, keys: [first, second], nowMs: 5_000 });
    expect(await find('second')).toBe('found');
    expect(await find('made-up')).toBe(unknown);
  });
});
