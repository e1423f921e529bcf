import { describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import { ensureDevelopmentKey } from '../../src/tokens/key-development.js';
import { loadKeys } from '../../src/tokens/keys.js';
import { runTokenCommand } from '../../src/cli/token.js';
import { createTokenVerifier } from '../../src/tokens/token-verifier.js';
import { parseSettings } from '../../src/settings/settings.js';
import { ownFolder } from '../support/own-folder.js';

const environment: Record<string, string> = { DATA_DIR: ownFolder() };

async function claimsOf(...argv: string[]) {
  const { stdout, stderr, exitCode } = await runTokenCommand(argv, environment);
  expect([stderr, exitCode]).toEqual(['', 0]);
  return decodeJwt(stdout);
}

const powerful = ['--roles', 'media_admin', '--scope', 'r_jobs', '--media', 'demo-media'];

async function failureOf(argv: string[], variables: Record<string, string> = {}): Promise<string> {
  const { stdout, stderr, exitCode } = await runTokenCommand(argv, { ...environment, ...variables });
  expect([stdout, exitCode]).toEqual(['', 2]);
  return stderr;
}

describe('npm run token', () => {
  it('prints a token that the gateway accepts', async () => {
    const { stdout } = await runTokenCommand(
      ['--roles', 'media_admin', '--scope', 'r_w_jobs r_w_companies', '--media', 'demo-media'],
      environment,
    );
    const settings = parseSettings(environment);
    const keys = await loadKeys(settings);
    const verify = createTokenVerifier({ keys, clock: () => new Date() });
    expect(await verify(`Bearer ${stdout}`)).toMatchObject({
      subject: 'developer',
      roles: new Set(['media_admin']),
      scopes: new Set(['r_w_jobs', 'r_w_companies']),
      media: new Set(['demo-media']),
      brand: undefined,
    });
  });

  it('in production needs only the signing key, and opens no database', async () => {
    const JWT_KEY_FILE = await ensureDevelopmentKey(environment.DATA_DIR ?? '');
    const production = { ...environment, NODE_ENV: 'production', JWT_KEY_FILE };
    expect(await runTokenCommand(powerful, production)).toMatchObject({ stderr: '', exitCode: 0 });
  });

  it('accepts lists separated by commas or spaces, and repeated options', async () => {
    const roles = ['--roles', 'media_admin,media_partner', '--roles', 'brand_admin  media_admin, '];
    const others = ['--brand', 'acme-group', '--media', 'one, two', '--media', ''];
    expect(
      await claimsOf(...roles, ...others, '--scope', 'r_w_jobs,r_jobs', '--scope', 'r_companies'),
    ).toMatchObject({
      roles: ['media_admin', 'media_partner', 'brand_admin', 'media_admin'],
      media: ['one', 'two'],
      scope: 'r_w_jobs r_jobs r_companies',
    });
    expect(await claimsOf(...powerful, '--sub', 'partner-a', '--brand', 'acme-group')).toMatchObject({
      sub: 'partner-a',
      brand: 'acme-group',
    });
  });

  it('prints its usage with --help', async () => {
    const { stdout, exitCode } = await runTokenCommand(['--help'], environment);
    expect(exitCode).toBe(0);
    expect(stdout.split('\n')).toEqual([
      'Usage: npm run --silent token -- [options]',
      '',
      'Prints a token and nothing else. The key that the gateway’s settings name signs it.',
      '',
      '  --roles=ROLES   brand_admin, media_admin, media_partner; separated by commas or spaces; may be repeated',
      '  --scope=SCOPE   r_jobs, r_w_jobs, r_companies, r_w_companies; separated by commas or spaces; may be repeated',
      '  --media=IDS     public ids of media, separated by commas or spaces; may be repeated',
      '  --brand=ID      public id of the brand that a brand_admin acts for',
      '  --sub=SUBJECT   id of the caller; default developer',
      '  --expires=TIME  lifetime of the token, such as 30s, 15m, 1h or 90d; default 1h',
      '  --help          prints this help',
    ]);
  });

  it('adds only the requested claims', async () => {
    const { stdout } = await runTokenCommand([], environment);
    expect(Object.keys(decodeJwt(stdout)).sort()).toEqual(['aud', 'exp', 'iat', 'iss', 'jti', 'sub']);
  });

  it('signs a token for the time in --expires, by default one hour', async () => {
    const lifetimeOf = async (...argv: string[]) => {
      const { exp = 0, iat = 0 } = await claimsOf(...powerful, ...argv);
      return exp - iat;
    };
    const near = async (seconds: number, ...argv: string[]) =>
      expect(Math.abs((await lifetimeOf(...argv)) - seconds)).toBeLessThanOrEqual(1);
    await near(3_600);
    await near(90, '--expires', '90s');
    await near(2 * 86_400, '--expires', '2d');
  });

  it('names what is wrong with the arguments (Contract 9.2.1)', async () => {
    expect(await failureOf(['--role', 'x'])).toMatch(/--role[^]*Usage:/);
    expect(await failureOf(['media_admin'])).toMatch(/media_admin[^]*Usage:/);
    expect(await failureOf(['--roles'])).toMatch(/--roles[^]*Usage:/);
    expect(await failureOf(['--expires', 'soon'])).toBe(
      '--expires: expected a duration such as 500ms, 5s, 1m, 24h or 90d, of at most 3650d, not "soon"',
    );
    expect(await failureOf(['--sub', ' System'])).toBe(
      'sub is system, which is reserved for the gateway itself',
    );
    expect(await failureOf(['--roles', 'admin,media_admin,root'])).toBe(
      '--roles: there is no admin, root, only brand_admin, media_admin, media_partner',
    );
    expect(await failureOf(['--scope', 'r_jobs all'])).toBe(
      '--scope: there is no all, only r_jobs, r_w_jobs, r_companies, r_w_companies',
    );
    expect(await failureOf(['--sub='])).toBe('sub is not a string of 1 to 255 readable characters');
    expect(await failureOf(['--brand='])).toBe('brand is not a string of at least 1 character');
  });

  it('names what is wrong with the environment', async () => {
    expect(await failureOf([], { JWT_JWKS_URL: 'https://idp.example/jwks' })).toMatch(/no key to sign with/);
    expect(await failureOf([], { JWT_KEY_FILE: '/absent.json' })).toMatch(/key file \/absent\.json/);
    expect(await failureOf([], { PORT: 'x', NODE_ENV: 'production' })).toMatch(/PORT[^]*JWT_KEY_FILE/);
    expect(await failureOf([], { JWT_KEY_FILE: '/absent.json', NODE_ENV: 'production' })).toMatch(
      /key file \/absent\.json.*npm run key makes one/,
    );
  });
});
