import { describe, expect, it } from '@jest/globals';
import { type Caller } from '../../src/tokens/caller.js';
import { type Role } from '../../src/operations.js';
import {
  notFound,
  coversMedia,
  reachesMediaItself,
  reachesRecord,
  reachAnywhere,
  reachIn,
  reachQuery,
} from '../../src/permissions/reach.rules.js';

const caller = (roles: Role[], claims: Partial<Caller> = {}): Caller => ({
  subject: 'me',
  roles: new Set(roles),
  scopes: new Set(),
  media: new Set(['mine']),
  brand: undefined,
  expiresAt: new Date(0),
  ...claims,
});
const brandAdmin = (claims: Partial<Caller> = {}) =>
  caller(['brand_admin'], { brand: 'ours', media: undefined, ...claims });

const own = { createdBy: 'me', brand: 'theirs' };
const ofBrand = { createdBy: 'other', brand: 'ours' };
const foreign = { createdBy: 'other', brand: 'theirs' };
const brandless = { createdBy: 'other', brand: null };

describe('reach (Contract 5.6)', () => {
  it.each<[string, Caller, string, string[]]>([
    ['media_admin', caller(['media_admin']), 'mine', ['media', 'all of it', 'own', 'of the brand']],
    ['media_admin', caller(['media_admin']), 'other', []],
    ['media_admin without media', caller(['media_admin'], { media: undefined }), 'mine', []],
    ['media_partner', caller(['media_partner']), 'mine', ['media', 'own']],
    ['media_partner', caller(['media_partner']), 'other', []],
    ['brand_admin', brandAdmin(), 'any', ['of the brand']],
    ['brand_admin of one media', brandAdmin({ media: new Set(['mine']) }), 'mine', ['of the brand']],
    ['brand_admin of one media', brandAdmin({ media: new Set(['mine']) }), 'other', []],
    ['brand_admin of no media', brandAdmin({ media: new Set() }), 'mine', []],
    ['brand_admin without brand', brandAdmin({ brand: undefined }), 'mine', []],
    [
      'media_partner and brand_admin',
      caller(['media_partner', 'brand_admin'], { brand: 'ours' }),
      'mine',
      ['media', 'own', 'of the brand'],
    ],
    ['no role', caller([]), 'mine', []],
  ])('includes exactly the records that %s may access, case %#', (_role, of, media, reached) => {
    const reaches = {
      media: reachesMediaItself(of, media),
      'all of it': coversMedia(of, media),
      own: reachesRecord(of, media, own),
      'of the brand': reachesRecord(of, media, ofBrand),
    };
    expect(Object.keys(reaches).filter((what) => reaches[what as keyof typeof reaches])).toEqual(reached);
    expect(reachesRecord(of, media, foreign)).toBe(reaches['all of it']);
    expect(reachesRecord(of, media, brandless)).toBe(reaches['all of it']);
  });

  it('becomes the filter of a list query, empty if the caller covers the whole media', () => {
    const both = reachIn(caller(['media_partner', 'brand_admin'], { brand: 'ours' }), 'mine');
    expect(reachQuery(both)).toEqual({ $or: [{ createdBy: 'me' }, { brand: 'ours' }] });
    expect(reachQuery(reachIn(caller(['media_admin', 'media_partner']), 'mine'))).toEqual({});
  });

  it('of nothing becomes a filter that matches nothing', () => {
    expect(reachQuery([])).toEqual({ _id: { $in: [] } });
  });

  it.each<[string, Caller, object[]]>([
    ['media_admin', caller(['media_admin']), [{}]],
    ['media_admin without media', caller(['media_admin'], { media: undefined }), []],
    ['media_partner', caller(['media_partner']), [{ createdBy: 'me' }]],
    [
      'media_partner and brand_admin',
      caller(['media_partner', 'brand_admin'], { brand: 'ours' }),
      [{ createdBy: 'me' }, { brand: 'ours' }],
    ],
    ['brand_admin', brandAdmin(), [{ brand: 'ours' }]],
    ['brand_admin of no media', brandAdmin({ media: new Set() }), []],
    ['no role', caller([]), []],
  ])('of %s is the same in all media of the token', (_role, of, filters) => {
    expect(reachAnywhere(of)).toEqual(filters);
  });
});

it.each([
  ['media_admin', 'mine', 'company-not-found'],
  ['media_admin', 'other', 'unauthorized-limitation'],
  ['media_partner', 'mine', 'unauthorized-limitation'],
  ['brand_admin', 'mine', 'unauthorized-limitation'],
] as const)(
  'a %s who asks for a company that is not in media %s gets %s (Contract 5.7)',
  (role, media, code) => {
    expect(notFound(caller([role], { brand: 'ours' }), media, 'company-not-found').code).toBe(code);
  },
);
