import { beforeAll, describe, expect, it } from '@jest/globals';
import { domainKey } from '../../src/company/company-identity.rules.js';
import { cleanHtml } from '../../src/content/html.rules.js';
import { withoutSecrets } from '../../src/http/log.js';
import { ownGateway } from '../support/own-gateway.js';
import { cpuMsOf, promptMs } from '../support/prompt.js';
import { graphql, rest } from '../support/requests.js';

const gateway = ownGateway();
let token: string;
beforeAll(async () => void (token = await gateway.token()));

describe('what takes time that grows faster than its length is not begun (Contract 8.6.2)', () => {
  const host = '漢字'.repeat(165_000);

  it('a domain of 330 000 ideograms', async () => {
    expect(await cpuMsOf(() => expect(domainKey(`${host}.fr`)).toBeNull())).toBeLessThan(promptMs);
  });

  it('a text of links to hosts of 2 000 ideograms', async () => {
    const text = `<a href="http://${host.slice(0, 2_030)}.fr">y</a>`.repeat(480);
    expect(await cpuMsOf(() => cleanHtml(text, { wrapPlainText: true, maximum: 2 ** 20 }))).toBeLessThan(
      promptMs,
    );
  });

  it('a line of the log whose path repeats what an e-mail address has', async () => {
    const bytes = 16_384;
    for (const part of ['%40', '%25', '%c3', 'a%40', `${'%40'.repeat(20)}${'a'.repeat(60)}`])
      for (const path of [
        part.repeat(bytes / part.length),
        `${'%40'.repeat(20)}${part.repeat(bytes / part.length)}`,
      ])
        expect(await cpuMsOf(() => withoutSecrets(path))).toBeLessThan(promptMs);
  });

  it('a line of the log whose path repeats the beginning of a token', async () => {
    expect(await cpuMsOf(() => withoutSecrets(`/${'eyJ'.repeat(400_000)}`))).toBeLessThan(promptMs);
    expect(withoutSecrets('token=eyJhbGciOi.eyJzdWIi.c2ln and so on')).toBe('token=[token] and so on');
    expect(withoutSecrets('a.b.eyJhbGciOi.eyJzdWIi.c2ln')).toBe('a.b.[token]');
  });
});

describe('lists', () => {
  it('find nothing for a name with a NUL, rather than fail', async () => {
    const query =
      'query ($name: String) { jobs(mediaPublicId: "demo-media", name: $name) { edges { cursor } } }';
    const { body } = await graphql(gateway, query, { name: 'no\u0000such' }, { token });
    expect(body).toMatchObject({ data: { jobs: { edges: [] } } });
  });

  it('name an argument that is at fault by its place beside the input (Contract 7.2.1)', async () => {
    const query = '{ jobs(mediaPublicId: "demo-media", first: 0) { edges { cursor } } }';
    const { body } = await graphql(gateway, query, {}, { token });
    expect(body.errors?.[0]?.extensions.fields?.map(({ path }) => path)).toEqual([['first']]);
  });
});

describe('a brand in a media where it has no company (Contract 5.7.1)', () => {
  it('is answered as in a media that does not exist', async () => {
    const brand = await gateway.token({ roles: ['brand_admin'], brand: 'acme-group', media: undefined });
    const ask = async (media: string) => {
      const query = '{ companies(mediaPublicId: "MEDIA") { edges { cursor } } }'.replace('MEDIA', media);
      const overGraphQL = await graphql(gateway, query, {}, { token: brand });
      const form = { media_public_id: media };
      const overRest = await rest(gateway, 'PATCH', '/companies', { form }, { token: brand });
      return [
        overGraphQL.body.errors?.[0]?.extensions.error,
        overRest.status,
        overRest.headers.get('ratelimit-limit'),
      ];
    };
    const refused = ['unauthorized-limitation', 401, null];
    expect([await ask('other-media'), await ask('no-media')]).toEqual([refused, refused]);
  });
});

describe('a replay (Contract 9.3)', () => {
  const call = (as: string, fields: Record<string, string>) =>
    rest(
      gateway,
      'POST',
      '/jobs/acme-office-manager',
      { form: { media_public_id: 'demo-media', company_public_id: 'acme', salary: '1k', ...fields } },
      { token: as, headers: { 'idempotency-key': 'replayed' } },
    );

  it('is not given to a body that holds something else, were it not readable', async () => {
    expect((await call(token, {})).status).toBe(200);
    expect((await call(token, { state: 'nonsense' })).body.error).toBe('idempotency-key-reuse');
  });

  it('is not given to a caller whose reach has shrunk since', async () => {
    const partner = await gateway.token({ roles: ['media_partner'] });
    expect((await call(partner, {})).status).toBe(401);
  });
});
