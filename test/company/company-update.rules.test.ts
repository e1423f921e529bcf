import { describe, expect, it } from '@jest/globals';
import { companyFields } from '../../src/company/company-fields.rules.js';
import { type InputFields } from '../../src/fields/fields.rules.js';
import { companyChanges, readCompanyUpdate } from '../../src/company/company-update.rules.js';
import { membershipIn } from '../../src/permissions/reach.rules.js';
import { demoData } from '../../src/demo/demo-data.js';
import { fieldFault } from '../../src/errors/field-fault.js';
import { Unread } from '../../src/fields/unread.rules.js';
import { ReferenceSnapshot } from '../../src/fields/reference-snapshot.js';

const { companies, references } = demoData(new Date());
const record = companies[0]!;
const snapshot = new ReferenceSnapshot(references);
const read = (fields: InputFields, hasLogoFile = false) =>
  readCompanyUpdate(fields, { record, snapshot, hasLogoFile });

describe('company update', () => {
  it('without fields stores nothing (Contract 4.1.3, 4.3.3.1)', () => {
    expect(read({})).toEqual({ patch: {}, faults: [], warnings: [] });
  });

  it('stores a name and a domain with their keys (Contract 4.1.6.1, 4.1.6.2)', () => {
    expect(read({ name: 'Éclair', domainUrl: 'https://www.Eclair.example/' }).patch).toEqual({
      name: 'Éclair',
      nameKey: 'eclair',
      domainUrl: 'https://www.Eclair.example/',
      domainKey: 'eclair.example',
    });
  });

  it.each([
    ['name', { domainUrl: 'a.example', domainKey: 'a.example' }],
    ['domainUrl', { name: 'Acme', nameKey: 'acme' }],
  ] as const)(
    'does not store the %s that identified the company (Contract 4.1.5.4)',
    (identifiedBy, patch) => {
      const given = { record, snapshot, hasLogoFile: false, identifiedBy };
      expect(readCompanyUpdate({ name: 'Acme', domainUrl: 'a.example' }, given).patch).toEqual(patch);
    },
  );

  it.each(['https://a.example/logo.png', 'nonsense', ''])(
    'ignores the logo_url %p beside a logo file, and warns (Contract 4.1.7.1)',
    (logoUrl) => {
      expect(read({ logoUrl }, true)).toEqual({
        patch: {},
        faults: [],
        warnings: [{ code: 'logo-url-ignored', field: 'logoUrl' }],
      });
    },
  );

  it('reports its faults after the faults that the API found (Contract 7.3.1)', () => {
    const { faults } = readCompanyUpdate(
      { sizeId: new Unread(fieldFault.mustBe('sizeId', 'string')), name: '' },
      { record, snapshot, hasLogoFile: false },
    );
    expect(faults.map(({ code }) => code)).toEqual(['size_id-must-be-string', 'name-format-error']);
  });
});

it('a new name or domain changes the comparison key, which the history does not show (Contract 4.1.6, 10.1.1)', () => {
  const company = { name: 'A', nameKey: 'a', domainUrl: 'b.example', domainKey: 'b.example', size: null };
  const patch = { name: 'C', nameKey: 'c', domainUrl: 'D.example', domainKey: 'd.example', size: null };
  expect(companyChanges(company, patch)).toEqual({
    changes: [
      { field: 'name', before: 'A', after: 'C' },
      { field: 'domainUrl', before: 'b.example', after: 'D.example' },
    ],
    derived: { nameKey: 'c', domainKey: 'd.example' },
  });
});

it('a company update stores a logo URL as sent (Contract 4.1.7.6)', () => {
  const url = 'https://a.example/logo.png';
  expect(read({ logoUrl: url }).patch).toEqual({ logo: { kind: 'url', url } });
});

it('ignores a logo_url of null beside a logo file, without a warning (Contract 4.1.7.10)', () => {
  expect(read({ logoUrl: null }, true)).toEqual({ patch: {}, faults: [], warnings: [] });
});

it('a company update can clear everything but the name (Contract 4.3.3.2)', () => {
  const { patch, faults } = read(
    Object.fromEntries(Object.keys(companyFields).map((field) => [field, null])),
  );
  expect(patch).toEqual({
    domainUrl: null,
    domainKey: null,
    sectors: [],
    size: null,
    description: null,
    logo: null,
  });
  expect(faults.map(({ code }) => code)).toEqual(['name-must-be-string']);
});

it('a faulty name and a faulty domain are described in both languages (Contract 7.3, 7.8)', () => {
  const { faults } = read({ name: '\u0301', domainUrl: 'x' });
  expect(faults.map(({ message }) => message)).toEqual([
    {
      en: 'This field must be more than accents and invisible characters.',
      fr: 'Ce champ doit être composé d’autre chose que d’accents et de caractères invisibles.',
    },
    {
      en: 'This field must be a web domain such as example.com.',
      fr: 'Ce champ doit être un nom de domaine, par exemple example.com.',
    },
  ]);
});

it('the two flags of a company can differ between its media (Contract 3.4)', () => {
  const memberships = [
    { media: 'one', isPublished: true, isVmePagePublished: false },
    { media: 'two', isPublished: false, isVmePagePublished: true },
  ];
  expect(membershipIn({ memberships }, 'two')).toEqual(memberships[1]);
  expect(membershipIn({ memberships }, 'three')).toBeUndefined();
});
