import { type FieldsOf, type FieldTable, type ReadContext } from '../content/fields.rules.js';
import { fieldFault } from '../errors/field-fault.js';
import { domainKey, nameKey } from './company-identity.rules.js';
import { type CompanyRecord } from './company.model.js';

/** The fault of a text that names no host. */
const malformedDomain = fieldFault.format('domainUrl', {
  en: 'a web domain such as example.com',
  fr: 'un domaine web tel que example.com',
});

/** The fault of a name of which folding leaves nothing, such as accents alone: it would equal every other such name. */
const emptyName = fieldFault.format('name', {
  en: 'something that can be told from other names',
  fr: 'différent d’un autre nom',
});

/** Every field of a company that callers may write (Contract 4.1.2), except the logo file, which is no text. */
export const companyFields = {
  name: {
    type: 'text',
    path: 'name',
    maximum: 150,
    description:
      'Its name, at most {maximum} characters. It belongs to one company only, whatever the media.',
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
    description: 'Its web domain. It belongs to one company only.',
    store: (domainUrl, _field, { reader }) => {
      const key = domainKey(domainUrl);
      if (key === null) reader.fail(malformedDomain);
      return { domainUrl, domainKey: key };
    },
  },
  sectorId: {
    type: 'references',
    path: 'sectors',
    kind: 'sector',
    maximum: 10,
    description: 'Id or public id of a sector, or several separated by ";", at most {maximum}.',
  },
  sizeId: {
    type: 'reference',
    path: 'size',
    kind: 'size',
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
    description: 'http or https URL of a logo, at most {maximum} characters, kept as given.',
    store: (url) => ({ logo: { kind: 'url', url } }),
  },
} as const satisfies FieldTable<ReadContext, keyof CompanyRecord>;

/** The fields of a company in a request. */
export type CompanyFields = FieldsOf<typeof companyFields>;
