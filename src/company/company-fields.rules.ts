import { type FieldsOf, type FieldTable, type ReadContext } from '../fields/fields.rules.js';
import { fieldFault } from '../errors/field-fault.js';
import { nameKey } from '../text/name-key.rules.js';
import { domainKey } from './company-identity.rules.js';
import { type CompanyRecord } from './company.model.js';

const malformedDomain = fieldFault.format('domainUrl', {
  en: 'a web domain such as example.com',
  fr: 'un nom de domaine, par exemple example.com',
});

/** A name of accents only has an empty comparison key, so all such names would count as equal. */
const emptyName = fieldFault.format('name', {
  en: 'more than accents and invisible characters',
  fr: 'composé d’autre chose que d’accents et de caractères invisibles',
  advice: {
    en: 'Enter more than accents and invisible characters.',
    fr: 'Saisissez autre chose que des accents et des caractères invisibles.',
  },
});

/** The fields that callers may write (Contract 4.1.2), except the logo file. */
export const companyFields = {
  name: {
    type: 'text',
    path: 'name',
    maximum: 150,
    description: 'Name of the company, at most {maximum} characters. Unique across all media.',
    store: (name, _field, { reader }) => {
      const key = nameKey(name);
      if (key === '') reader.fail(emptyName);
      return { name, nameKey: key };
    },
  },
  domainUrl: {
    type: 'text',
    path: 'domainUrl',
    maximum: 2_048,
    isClearable: true,
    description: 'Web domain of the company. Unique across all media.',
    store: (domainUrl, _field, { reader }) => {
      const key = domainUrl && domainKey(domainUrl);
      if (domainUrl !== null && key === null) reader.fail(malformedDomain);
      return { domainUrl, domainKey: key };
    },
  },
  sectorId: {
    type: 'references',
    path: 'sectors',
    kind: 'sector',
    maximum: 10,
    isClearable: true,
    description: 'Ids or public ids of sectors: at most {maximum}, separated by ";".',
  },
  sizeId: {
    type: 'reference',
    path: 'size',
    kind: 'size',
    isClearable: true,
    description: 'Id or public id of a company size.',
  },
  description: {
    type: 'html',
    path: 'description',
    maximum: 5_000,
    wrapPlainText: false,
    isClearable: true,
    description: 'At most {maximum} characters after cleaning; HTML outside the allow-list is removed.',
  },
  logoUrl: {
    type: 'url',
    path: 'logo',
    maximum: 2_048,
    isClearable: true,
    description:
      'http or https URL of a logo, at most {maximum} characters, kept as given. Null clears the logo, also an uploaded one.',
    store: (url) => ({ logo: url === null ? null : { kind: 'url', url } }),
  },
} as const satisfies FieldTable<ReadContext, keyof CompanyRecord>;

export type CompanyFields = FieldsOf<typeof companyFields>;
