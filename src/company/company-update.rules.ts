import { type FieldFault, fieldFault } from '../errors/field-fault.js';
import { FieldReader, type Given } from '../content/field-reader.rules.js';
import { type Warning } from '../content/warning.js';
import { type Patch } from '../history/changes.rules.js';
import { type ReferenceBook } from '../reference/reference-book.js';
import { domainKey, nameKey } from './company-identity.rules.js';

/** The fields of a company update as a door read them (Contract 4.1.2); the logo file is read by the service. */
export interface CompanyFields {
  name?: Given<string>;
  domainUrl?: Given<string>;
  /** One id, or several separated by `;`. */
  sectorId?: Given<string>;
  sizeId?: Given<string>;
  description?: Given<string>;
  logoUrl?: Given<string>;
}

/** Bounds of a company's fields, in code points unless said otherwise (Contract 8.5). */
export const companyLimits = {
  name: 150,
  domainUrl: 2_048,
  description: 5_000,
  logoUrl: 2_048,
  /** Sectors. */
  sectors: 10,
};

export interface CompanyUpdate {
  patch: Patch;
  faults: readonly FieldFault[];
  warnings: Warning[];
}

/** The fault of a domain that has no host. */
export const malformedDomain = fieldFault.format('domain_url', {
  en: 'a web domain such as example.com',
  fr: 'un domaine web tel que example.com',
});

/** The fault of a name that is accents alone: nothing of it could be told from another. */
const emptyName = fieldFault.format('name', {
  en: 'something that can be told from other names',
  fr: 'différent d’un autre nom',
});

export const sectorIds = (sectorId: string): string[] => [
  ...new Set(
    sectorId
      .split(';')
      .map((id) => id.trim())
      .filter(Boolean),
  ),
];

/** Checks every field of the update at once and says what it would store. */
export function readCompanyUpdate(
  fields: CompanyFields,
  book: ReferenceBook,
  options: { hasLogoFile: boolean; readFaults: readonly FieldFault[] },
): CompanyUpdate {
  const reader = new FieldReader(options.readFaults);
  const patch: Patch = {};
  const warnings: Warning[] = [];

  const name = reader.text('name', fields.name, companyLimits.name);
  if (name !== undefined) {
    const key = nameKey(name);
    if (key === '') reader.fail(emptyName);
    else Object.assign(patch, { name, nameKey: key });
  }

  const domainUrl = reader.text('domain_url', fields.domainUrl, companyLimits.domainUrl);
  if (domainUrl !== undefined) {
    const key = domainKey(domainUrl);
    if (key === null) reader.fail(malformedDomain);
    else Object.assign(patch, { domainUrl, domainKey: key });
  }

  const size = reader.present('size_id', fields.sizeId);
  if (size !== undefined) {
    const record = book.find('size', size);
    if (record) patch.size = record._id;
    else reader.fail(fieldFault.notFound('size_id'));
  }

  const sectors = readSectors(reader, fields.sectorId, book);
  if (sectors) patch.sectors = sectors;

  const description = reader.html('description', fields.description, companyLimits.description, {
    wrapPlainText: false,
    warnings,
  });
  if (description !== undefined) patch.description = description;

  if (options.hasLogoFile && fields.logoUrl != null)
    warnings.push({ code: 'logo-url-ignored', field: 'logo_url' });
  else {
    const url = reader.url('logo_url', fields.logoUrl, companyLimits.logoUrl);
    if (url !== undefined) patch.logo = { kind: 'url', url };
  }
  return { patch, faults: reader.faults, warnings };
}

function readSectors(reader: FieldReader, given: Given<string>, book: ReferenceBook) {
  const text = reader.present('sector_id', given);
  if (text === undefined) return undefined;
  const ids = sectorIds(text);
  if (ids.length > companyLimits.sectors) {
    return reader.fail(
      fieldFault.tooLong('sector_id', companyLimits.sectors, { en: 'sectors', fr: 'secteurs' }),
    );
  }
  const records = ids.map((id) => book.find('sector', id));
  const found = records.filter((record) => record !== undefined);
  if (found.length === 0 || found.length < records.length)
    return reader.fail(fieldFault.notFound('sector_id'));
  return [...new Map(found.map(({ publicId, _id }) => [publicId, _id])).values()];
}
