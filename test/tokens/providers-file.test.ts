import { describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ProvidersError, readProviders } from '../../src/tokens/providers.js';
import { parseSettings } from '../../src/settings/settings.js';
import { providersFile } from '../support/provider.js';
import { root } from '../support/process.js';

const good = { issuer: 'https://a.example', audience: 'gateway', jwksUrl: 'https://a.example/jwks' };

async function faultsOf(document: unknown, environment: NodeJS.ProcessEnv = {}): Promise<string[]> {
  const path = await providersFile(document);
  const settings = parseSettings({ ...environment, JWT_PROVIDERS: path });
  const faults = await readProviders(settings).then(
    () => [],
    (error: ProvidersError) => error.faults,
  );
  return faults.map((fault) => fault.replaceAll(path, 'FILE'));
}

describe('the file of JWT_PROVIDERS (Contract 9.1.4)', () => {
  it.each([
    [[good], []],
    [[{ ...good, prefix: 'a-1', listed: true, media: '*', audienceClaim: '/a~1b/0' }], []],
    ['[', ['The file FILE is not valid JSON: Unexpected end of JSON input.']],
    [{}, ['The file FILE must be a JSON array of at least one provider.']],
    [[], ['The file FILE must be a JSON array of at least one provider.']],
    [[null], ['FILE, provider 1: must be an object']],
    [
      [{}],
      [
        'FILE, provider 1: issuer is missing',
        'FILE, provider 1: audience is missing',
        'FILE, provider 1: needs jwksUrl or keys, and not both',
      ],
    ],
    [
      [{ ...good, keys: { keys: [] } }],
      [expect.stringMatching(/keys must have only/), expect.stringMatching(/not both$/)],
    ],
    [[{ ...good, audience: '' }], ['FILE, provider 1: audience must be a text']],
    [
      [{ ...good, jwksUrl: 'https://u:secret@a.example' }],
      ['FILE, provider 1: jwksUrl must be an http or https URL without user'],
    ],
    [
      [{ ...good, claims: { roles: 'roles' } }],
      ['FILE, provider 1: claims must be a JSON pointer such as /realm_access/roles'],
    ],
    [
      [{ ...good, claims: { sub: '/sub' } }],
      ['FILE, provider 1: claims must map some of scope, roles, media, brand to JSON pointers'],
    ],
    [
      [{ ...good, audienceClaim: '/a~2' }],
      ['FILE, provider 1: audienceClaim must be a JSON pointer such as /realm_access/roles'],
    ],
    [
      [{ ...good, roles: { boss: 'owner' } }],
      ['FILE, provider 1: roles must map the provider’s names to brand_admin, media_admin, media_partner'],
    ],
    [[{ ...good, scopes: {} }], [expect.stringMatching(/^FILE, provider 1: scopes must map/)]],
    [[{ ...good, prefix: 'A' }], ['FILE, provider 1: prefix must match [a-z0-9-]+']],
    [[{ ...good, listed: 'yes' }], ['FILE, provider 1: listed must be true or false']],
    [[{ ...good, media: [] }], ['FILE, provider 1: media must be "*" or an array of public ids']],
    [
      [{ ...good, audiences: [] }],
      [expect.stringMatching(/^FILE, provider 1: has an unknown member "audiences"; known are issuer/)],
    ],
  ])('%j has the faults %j', async (document, faults) => {
    expect(await faultsOf(document)).toEqual(faults);
  });

  it('may have several providers only with different issuers and prefixes, and the media of each', async () => {
    const a = { ...good, media: '*' };
    const b = { ...a, issuer: 'https://b.example', prefix: 'b' };
    expect(await faultsOf([a, b])).toEqual([]);
    expect(await faultsOf([a, { ...b, issuer: good.issuer }])).toEqual([
      'FILE, provider 2: issuer is also that of provider 1',
    ]);
    expect(await faultsOf([b, a, { ...b, issuer: 'https://c.example' }])).toEqual([
      'FILE, provider 3: prefix is also that of provider 1',
    ]);
    expect(await faultsOf([a, { ...a, issuer: 'https://c.example' }])).toEqual([
      'FILE, provider 2: prefix is missing, as in provider 1: only one provider may have none',
    ]);
    expect(await faultsOf([{ ...good }, b])).toEqual([
      'FILE, provider 1: media is missing, which several providers need',
    ]);
  });

  it('must exist', async () => {
    const settings = parseSettings({ JWT_PROVIDERS: '/nowhere/providers.json' });
    await expect(readProviders(settings)).rejects.toMatchObject({
      faults: [expect.stringMatching(/^The file \/nowhere\/providers\.json cannot be read: ENOENT/)],
    });
  });

  it('has only https URLs in production', async () => {
    const production = { NODE_ENV: 'production', MONGODB_URI: 'mongodb://a' };
    const open = { ...good, jwksUrl: 'http://a.example/jwks' };
    expect(await faultsOf([open], production)).toEqual([
      'FILE, provider 1: jwksUrl must be https with NODE_ENV=production',
    ]);
    expect(await faultsOf([good], production)).toEqual([]);
    expect(await faultsOf([open])).toEqual([]);
  });

  it.each(['keycloak', 'auth0', 'entra', 'cognito'])(
    'has an example for %s in deploy/providers',
    async (name) => {
      const text = await readFile(join(root, `deploy/providers/${name}.json`), 'utf8');
      expect(await faultsOf(text)).toEqual([]);
    },
  );
});
