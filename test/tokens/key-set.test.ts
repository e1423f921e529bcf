import { describe, expect, it } from '@jest/globals';
import { isAcceptable, publicKeySet } from '../../src/tokens/key-set.js';

const modulus = (bytes: number, leadingZeros = 0) =>
  Buffer.concat([Buffer.alloc(leadingZeros), Buffer.alloc(bytes, 255)]).toString('base64url');

describe('a key that may verify tokens (Contract 3.1.3)', () => {
  it.each([
    [256, 0, true],
    [255, 0, false],
    [255, 1, false],
    [256, 1, true],
    [0, 256, false],
  ])(
    'must have an RSA modulus of at least 2048 bits: %d bytes after %d zero bytes, accepted: %s',
    (bytes, leadingZeros, isStrong) => {
      expect(isAcceptable({ kty: 'RSA', n: modulus(bytes, leadingZeros), e: 'AQAB' })).toBe(isStrong);
    },
  );

  it.each([
    [[1, 0, 1], true],
    [[3], true],
    [[0, 0, 3], true],
    [[2], false],
    [[1], false],
    [[0, 1], false],
    [[1, 0, 0], false],
    [[0], false],
    [[], false],
    [undefined, false],
  ])('must have an RSA exponent that prevents forgery: bytes %j, accepted: %s', (bytes, isSafe) => {
    const e = bytes && Buffer.from(bytes).toString('base64url');
    expect(isAcceptable({ kty: 'RSA', n: modulus(256), ...(e !== undefined && { e }) })).toBe(isSafe);
  });

  it.each([
    [{ kty: 'EC', crv: 'P-256' }, true],
    [{ kty: 'EC', crv: 'P-384' }, true],
    [{ kty: 'EC', crv: 'P-521' }, true],
    [{ kty: 'EC', crv: 'secp256k1' }, false],
    [{ kty: 'EC', crv: 'Ed25519' }, false],
    [{ kty: 'EC' }, false],
    [{ kty: 'OKP', crv: 'Ed25519' }, true],
    [{ kty: 'OKP', crv: 'X25519' }, false],
    [{ kty: 'OKP', crv: 'P-256' }, false],
    [{ kty: 'oct', crv: 'P-256' }, false],
    [{ kty: 'RSA', e: 'AQAB' }, false],
    [{ crv: 'P-256' }, false],
  ])('must have a curve that can sign and fits its type: %j, accepted: %s', (key, isOne) => {
    expect(isAcceptable(key)).toBe(isOne);
  });

  it('exposes its public members only', () => {
    const shown = { kty: 'EC', kid: 'k', alg: 'ES256', use: 'sig', crv: 'P-256', x: 'x', y: 'y' };
    const rsa = { kty: 'RSA', n: modulus(256), e: 'AQAB' };
    const keys = [
      { ...shown, d: 'secret', key_ops: ['sign'] },
      { ...rsa, p: 'secret' },
    ];
    expect(publicKeySet({ keys })).toStrictEqual({ keys: [shown, rsa] });
  });
});

it.each([[null], [[]], ['keys'], [{}], [{ keys: {} }]])('%j is not a key set', (document) =>
  expect(() => publicKeySet(document)).toThrow('not a JWK Set: {"keys": [...]}'),
);

it('a key set leaves out entries that are not keys', () => {
  const key = { kty: 'OKP', crv: 'Ed25519', x: 'x' };
  expect(publicKeySet({ keys: [null, key, [], 'k', {}] })).toStrictEqual({ keys: [key] });
});
