/** An access token as the documentation of a provider shows it. Ids are invented; the roles and scopes fit our files. */
export interface RecordedToken {
  /** The pages that show the claims. */
  pages: string[];
  header: { alg: 'RS256'; typ?: string; kid?: string };
  claims: Record<string, unknown>;
  /** The caller that the gateway must see. */
  caller: { subject: string; roles: string[]; scopes: string[]; media: string[] };
}

const both = ['r_w_jobs', 'r_w_companies'];

export const recordedTokens: Record<'keycloak' | 'auth0' | 'entra' | 'cognito', RecordedToken> = {
  keycloak: {
    pages: [
      'https://www.keycloak.org/securing-apps/token-exchange',
      'https://www.keycloak.org/docs/latest/server_admin/#_protocol-mappers',
      'https://phasetwo.io/tutorials/getting-started/your-first-token/',
    ],
    header: { alg: 'RS256', typ: 'JWT' },
    claims: {
      jti: 'onrtro:d58f5dc8-fd8f-462b-8a19-716f8f83985b',
      iss: 'https://keycloak.example/realms/recruitment',
      aud: ['recruitment-gateway', 'account'],
      sub: '36fa0f91-f94d-4a0c-afed-6b7d952e47da',
      typ: 'Bearer',
      azp: 'recruitment-site',
      sid: '2a88c258-f73a-4103-b862-e1fbd8f4e04e',
      acr: '1',
      'allowed-origins': ['https://site.example'],
      realm_access: { roles: ['offline_access', 'media_admin', 'uma_authorization'] },
      resource_access: { account: { roles: ['manage-account', 'view-profile'] } },
      scope: 'email profile r_w_jobs r_w_companies',
      email_verified: true,
      preferred_username: 'alice',
    },
    caller: {
      subject: 'keycloak:36fa0f91-f94d-4a0c-afed-6b7d952e47da',
      roles: ['media_admin'],
      scopes: both,
      media: ['demo-media'],
    },
  },
  auth0: {
    pages: ['https://auth0.com/docs/secure/tokens/access-tokens/access-token-profiles'],
    header: { alg: 'RS256', typ: 'JWT' },
    claims: {
      'https://gateway.example/roles': ['Partner'],
      'https://gateway.example/media': ['demo-media', 'media-of-somebody-else'],
      iss: 'https://tenant.eu.auth0.com/',
      sub: 'auth0|123456',
      aud: ['https://gateway.example', 'https://tenant.eu.auth0.com/userinfo'],
      azp: 'my_client_id',
      scope: 'openid profile r_w_jobs r_w_companies',
    },
    caller: {
      subject: 'auth0:auth0|123456',
      roles: ['media_partner'],
      scopes: both,
      media: ['demo-media'],
    },
  },
  entra: {
    pages: ['https://learn.microsoft.com/en-us/entra/identity-platform/access-token-claims-reference'],
    header: { alg: 'RS256', typ: 'JWT' },
    claims: {
      aud: '00001111-aaaa-2222-bbbb-3333cccc4444',
      iss: 'https://login.microsoftonline.com/aaaabbbb-0000-cccc-1111-dddd2222eeee/v2.0',
      aio: 'AWQAm/8OAAAA',
      azp: '11112222-bbbb-3333-cccc-4444dddd5555',
      azpacr: '1',
      name: 'Alice Martin',
      oid: 'aaaaaaaa-0000-1111-2222-bbbbbbbbbbbb',
      preferred_username: 'alice@contoso.example',
      rh: '0.ASgA',
      roles: ['Media.Admin'],
      scp: 'Companies.ReadWrite Jobs.ReadWrite',
      sub: 'AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSaFHy782bbtaQ',
      tid: 'aaaabbbb-0000-cccc-1111-dddd2222eeee',
      uti: 'fqiBqXLPj0eQa82S-IYFAA',
      ver: '2.0',
    },
    caller: {
      subject: 'entra:AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSaFHy782bbtaQ',
      roles: ['media_admin'],
      scopes: both,
      media: ['demo-media'],
    },
  },
  cognito: {
    pages: [
      'https://docs.aws.amazon.com/cognito/latest/developerguide/amazon-cognito-user-pools-using-the-access-token.html',
    ],
    header: { alg: 'RS256' },
    claims: {
      sub: 'aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee',
      device_key: 'aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee',
      'cognito:groups': ['media-admins', 'testers'],
      iss: 'https://cognito-idp.eu-west-3.amazonaws.com/eu-west-3_example',
      version: 2,
      client_id: '1example23456789',
      origin_jti: 'aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee',
      event_id: 'aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee',
      token_use: 'access',
      scope: 'phone openid gateway/r_w_jobs gateway/r_w_companies',
      jti: 'aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee',
      username: 'alice',
    },
    caller: {
      subject: 'cognito:aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee',
      roles: ['media_admin'],
      scopes: both,
      media: ['demo-media'],
    },
  },
};
