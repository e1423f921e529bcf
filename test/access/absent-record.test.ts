import { expect, it } from '@jest/globals';
import { absent } from '../../src/access/absent-record.js';
import { type Caller, type Role } from '../../src/access/caller.js';

const caller = (role: Role): Caller => ({
  subject: 'me',
  roles: new Set([role]),
  scopes: new Set(),
  media: new Set(['m']),
  brand: 'b',
  expiresAt: new Date(0),
});

it.each([
  ['media_admin', 'm', 'company-not-found'],
  ['media_admin', 'other', 'unauthorized-limitation'],
  ['media_partner', 'm', 'unauthorized-limitation'],
  ['brand_admin', 'm', 'unauthorized-limitation'],
] as const)('a %s hears of a company that is not in media %s: %s (Contract 5.7)', (role, media, code) => {
  expect(absent(caller(role), media, 'company-not-found').code).toBe(code);
});
