import { describe, expect, it } from '@jest/globals';
import { ourClaims } from '../../src/tokens/providers.js';
import { callerFromClaims } from '../../src/tokens/token-claims.js';

const claims = { sub: 's', exp: 1_000 };
const fault = (changed: Record<string, unknown>) => {
  try {
    callerFromClaims({ ...claims, ...changed }, ourClaims);
    return null;
  } catch (error) {
    const { name, message } = error as Error;
    return [name, message];
  }
};

describe('the claims of a token (Contract 3.1.2)', () => {
  it('become the properties of a caller', () => {
    const whole = { scope: 'x r_jobs r_w_companies', roles: ['y', 'brand_admin'], media: ['m'], brand: 'b' };
    expect(callerFromClaims({ ...claims, ...whole }, ourClaims)).toEqual({
      subject: 's',
      roles: new Set(['brand_admin']),
      scopes: new Set(['r_jobs', 'r_w_companies']),
      media: new Set(['m']),
      brand: 'b',
      expiresAt: new Date(1_000_000),
    });
  });

  it('may be lists or texts separated by spaces', () => {
    const texts = { scope: ' r_jobs  r_companies ', roles: 'brand_admin x', media: 'm n' };
    const lists = { scope: ['r_jobs', 'r_companies'], roles: ['brand_admin', 'x'], media: ['m', 'n'] };
    const caller = callerFromClaims({ ...claims, ...texts }, ourClaims);
    expect(caller).toEqual(callerFromClaims({ ...claims, ...lists }, ourClaims));
    expect(caller).toMatchObject({ roles: new Set(['brand_admin']), media: new Set(['m', 'n']) });
  });

  it('may have the roles as an object, as of ZITADEL', () => {
    const roles = { brand_admin: { 123: 'acme.example' }, x: { 123: 'acme.example' } };
    expect(callerFromClaims({ ...claims, roles }, ourClaims).roles).toEqual(new Set(['brand_admin']));
  });

  it.each([
    ['a provider for any media', ourClaims],
    ['a provider with media of its own', { ...ourClaims, media: new Set(['m']) }],
  ])('of null grant nothing, and a null media is not absent, from %s', (_what, rules) => {
    const nothing = { scope: null, roles: null, media: null, brand: null };
    const granted = { roles: new Set(), scopes: new Set(), media: new Set(), brand: undefined };
    expect(callerFromClaims({ ...claims, ...nothing }, rules)).toMatchObject(granted);
    const names = {
      scope: ['app', 'scope'],
      roles: ['app', 'roles'],
      media: ['app', 'media'],
      brand: ['app', 'brand'],
    };
    const nested = { ...rules, claims: { ...rules.claims, ...names } };
    expect(callerFromClaims({ ...claims, app: null }, nested)).toMatchObject(granted);
  });

  it.each([['x'.repeat(255)], ['é'], ['a b'], ['systems'], ['ni\u200cma']])(
    'may have the subject %s',
    (sub) => {
      expect(fault({ sub })).toBeNull();
    },
  );

  const noSubject = ['TokenFault', 'sub is not a string of 1 to 255 readable characters'];
  const system = ['TokenFault', 'sub is system, which is reserved for the gateway itself'];
  const noDate = ['TokenFault', 'exp is not a number of seconds up to the year 9999'];
  it.each([
    [{ sub: undefined }, noSubject],
    [{ sub: '' }, noSubject],
    [{ sub: 7 }, noSubject],
    [{ sub: 'x'.repeat(256) }, noSubject],
    [{ sub: 'a\u0000' }, noSubject],
    [{ sub: 'a\ud800' }, noSubject],
    [{ sub: 'system' }, system],
    [{ sub: ' SYSTEM\u00a0' }, system],
    [{ sub: 'sys\u200btem' }, system],
    [{ sub: 'sy\u{110bd}stem' }, system],
    [{ sub: '\u00ad system' }, system],
    [{ sub: 'system\ufe0f' }, system],
    [{ exp: undefined }, noDate],
    [{ exp: '1' }, noDate],
    [{ exp: NaN }, noDate],
    [{ exp: Date.UTC(9_999, 11, 31, 23, 59, 59) / 1_000 }, null],
    [{ exp: Date.UTC(10_000) / 1_000 }, noDate],
    [{ exp: Date.UTC(2026) }, noDate],
    [{ exp: 8_640_000_000_001 }, noDate],
    [{ scope: ['r_jobs'] }, null],
    [{ roles: 'media_admin' }, null],
    [{ media: 'm n' }, null],
    [{ scope: 1 }, ['TokenFault', 'scope is neither a list of strings nor a string']],
    [{ roles: [1] }, ['TokenFault', 'roles is neither a list of strings nor a string']],
    [{ media: [null] }, ['TokenFault', 'media is neither a list of strings nor a string']],
    [{ media: { m: { o: 'x' } } }, ['TokenFault', 'media is neither a list of strings nor a string']],
    [{ roles: { media_admin: {} } }, ['TokenFault', 'roles is neither a list of strings nor a string']],
    [{ roles: { media_admin: true } }, ['TokenFault', 'roles is neither a list of strings nor a string']],
    [{ brand: '' }, ['TokenFault', 'brand is not a string of at least 1 character']],
    [{ brand: null }, null],
    [{ media: null }, null],
  ])('with %j give the fault %j', (changed, expected) => {
    expect(fault(changed)).toEqual(expected);
  });
});
