import { describe, expect, it } from '@jest/globals';
import { resourceMetadataUrl } from '../../src/http/resource-metadata.routes.js';
import { ownGateways } from '../support/own-gateway.js';
import { providersFile } from '../support/provider.js';
import { graphql, rest } from '../support/requests.js';

const gatewayWith = ownGateways();
const path = '/.well-known/oauth-protected-resource';
const provider = { audience: 'gateway', jwksUrl: 'https://id.example/keys', media: '*' };
const scopes = ['r_jobs', 'r_w_jobs', 'r_companies', 'r_w_companies'];

describe(`GET ${path} (Contract 3.1.9)`, () => {
  it('names the resource, the scopes and the listed providers only', async () => {
    const file = await providersFile([
      { ...provider, issuer: 'https://listed.example', listed: true },
      { ...provider, issuer: 'https://private.example', prefix: 'p' },
      { ...provider, issuer: 'https://unlisted.example', prefix: 'u', listed: false },
    ]);
    const { url } = await gatewayWith({ PUBLIC_URL: 'https://gateway.example/', JWT_PROVIDERS: file });
    const reply = await fetch(url + path);
    expect([reply.status, reply.headers.get('content-type')]).toEqual([
      200,
      'application/json; charset=utf-8',
    ]);
    const metadata = (await reply.json()) as { scopes_supported: string[] };
    expect({ ...metadata, scopes_supported: metadata.scopes_supported.toSorted() }).toEqual({
      resource: 'https://gateway.example',
      authorization_servers: ['https://listed.example'],
      scopes_supported: scopes.toSorted(),
      bearer_methods_supported: ['header'],
    });
  });

  it('leaves out the providers if none is listed', async () => {
    const { url } = await gatewayWith({ PUBLIC_URL: 'https://gateway.example/path' });
    const metadata = (await (await fetch(url + path)).json()) as object;
    expect(Object.keys(metadata)).toEqual(['resource', 'scopes_supported', 'bearer_methods_supported']);
    expect(metadata).toMatchObject({ resource: 'https://gateway.example/path' });
  });

  it.each([{}, { PUBLIC_URL: 'http://gateway.example' }])('does not exist with %j', async (environment) => {
    const gateway = await gatewayWith(environment);
    expect((await fetch(gateway.url + path)).status).toBe(404);
    const { headers } = await rest(gateway, 'GET', '/jobs/x', undefined);
    expect(headers.get('www-authenticate')).toBe('Bearer realm="gateway"');
  });

  it('is named by the challenge of every refusal, over REST and GraphQL', async () => {
    const gateway = await gatewayWith({ PUBLIC_URL: 'https://gateway.example/path' });
    const named = ', resource_metadata="https://gateway.example/.well-known/oauth-protected-resource/path"';
    const token = await gateway.token({ scope: 'r_jobs' });
    const update = 'mutation { updateJob(input: { jobPublicId: "acme-backend-engineer" }) { job { name } } }';
    const replies = [
      await rest(gateway, 'GET', '/jobs/x', undefined),
      await rest(gateway, 'GET', '/jobs/x', undefined, { token: 'bad' }),
      await rest(gateway, 'POST', '/jobs/acme-backend-engineer', { form: {} }, { token }),
      await graphql(gateway, '{ viewer { subject } }'),
      await graphql(gateway, '{ viewer { subject } }', {}, { token: 'bad' }),
      await graphql(gateway, update, {}, { token }),
    ];
    expect(replies.map(({ headers }) => headers.get('www-authenticate'))).toEqual(
      Array(2)
        .fill([
          `Bearer realm="gateway"${named}`,
          expect.stringMatching(
            /error="invalid_token", error_description="[^"]+", resource_metadata="[^"]+path"$/,
          ),
          expect.stringMatching(/error="insufficient_scope".*", resource_metadata="[^"]+path"$/),
        ])
        .flat(),
    );
  });

  it.each([
    ['https://a.example', `https://a.example${path}`],
    ['https://a.example:8443/x/y', `https://a.example:8443${path}/x/y`],
    ['http://a.example', undefined],
    [undefined, undefined],
  ])('has for PUBLIC_URL %s the URL %s', (publicUrl, url) => {
    expect(resourceMetadataUrl(publicUrl)).toBe(url);
  });
});
