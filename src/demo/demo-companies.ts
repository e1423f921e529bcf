import { blankCompany, type CompanyRecord } from '../company/company.model.js';
import { nameKey } from '../company/company-identity.rules.js';
import { demoId } from './demo-id.js';
import { type ReferenceIdOf } from './demo-references.js';

/** What a demo company says for itself; the rest is the same for all. */
type OwnWords = Partial<CompanyRecord> & Pick<CompanyRecord, 'publicId' | 'name'>;

/** The companies: one published and one not in the same media, and one in the other media only. */
export function demoCompanies(idOf: ReferenceIdOf): CompanyRecord[] {
  return [
    company({
      publicId: 'acme',
      name: 'Acme',
      brand: 'acme-group',
      memberships: [{ media: 'demo-media', isPublished: true, isVmePagePublished: true }],
      offices: [
        {
          _id: demoId('offices', 'acme:lyon'),
          publicId: 'lyon',
          name: { en: 'Lyon head office', fr: 'Siège de Lyon' },
        },
        {
          _id: demoId('offices', 'acme:paris'),
          publicId: 'paris',
          name: { en: 'Paris office', fr: 'Bureau de Paris' },
        },
      ],
      size: idOf('size', 'from_250_to_999'),
      sectors: [idOf('sector', 'software'), idOf('sector', 'transport')],
      description:
        '<p>Acme conçoit des logiciels qui aident les transporteurs à livrer à l’heure, avec moins de kilomètres.</p>' +
        '<p>Fondée à Lyon en 2009, l’entreprise réunit 320 personnes entre Lyon et Paris.</p>',
      language: 'fr',
      logo: { kind: 'url', url: 'https://acme.example/images/logo.png' },
      createdBy: 'partner-a',
    }),
    company({
      publicId: 'globex',
      name: 'Globex',
      memberships: [{ media: 'demo-media', isPublished: false, isVmePagePublished: false }],
      size: idOf('size', 'from_1000_to_4999'),
      sectors: [idOf('sector', 'energy')],
      description:
        '<p>Globex builds and runs wind farms in eleven countries, from the first survey to the last bolt.</p>',
      language: 'en',
    }),
    company({
      publicId: 'initech',
      name: 'Initech',
      memberships: [{ media: 'other-media', isPublished: true, isVmePagePublished: false }],
      size: idOf('size', 'from_50_to_249'),
      sectors: [idOf('sector', 'software'), idOf('sector', 'banking')],
      description: '<p>Initech keeps the back offices of forty regional banks running, day and night.</p>',
      language: 'en',
      logo: { kind: 'url', url: 'https://initech.example/logo.png' },
    }),
  ];
}

function company(own: OwnWords): CompanyRecord {
  const domain = `${own.publicId}.example`;
  return {
    ...blankCompany,
    _id: demoId('companies', own.publicId),
    nameKey: nameKey(own.name),
    domainUrl: domain,
    domainKey: domain,
    createdBy: 'demo',
    ...own,
  };
}
