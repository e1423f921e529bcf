import { type Document } from 'mongodb';
import { type Collection } from 'mongoose';
import { type Caller } from '../access/caller.js';
import { notFound } from '../access/reach.rules.js';
import { allOf } from '../content/all-of.rules.js';
import { FieldReader, type Given } from '../content/field-reader.rules.js';
import { readFields } from '../content/fields.rules.js';
import { conflicting } from '../errors/domain-error.js';
import { fieldFault, type FieldFault } from '../errors/field-fault.js';
import { emptyBook } from '../content/reference-book.js';
import { domainKey, identityKeys, nameKey } from './company-identity.rules.js';
import { type CompanyFields, companyFields } from './company-fields.rules.js';
import { type CompanyRecord } from './company.model.js';

export interface IdentifiedFields extends CompanyFields {
  mediaPublicId: string;
  companyPublicId?: Given<string>;
}

/** `identifiedBy` is set only if the domain or the name identified the company. */
export interface IdentifiedCompany {
  company: CompanyRecord;
  identifiedBy?: keyof typeof identityKeys;
}

/**
 * Finds the company of an update (Contract 4.1.5): by public id if given, otherwise by domain, then by name.
 * @throws DomainError company-already-existed if the domain or name belongs to a company of other media only
 * @throws DomainError company-not-found if no company matches, or unauthorized-limitation if the caller must not learn this
 */
export async function identifyCompany(
  companies: Collection<CompanyRecord>,
  caller: Caller,
  input: IdentifiedFields,
  read: Document,
): Promise<IdentifiedCompany> {
  const { mediaPublicId: media } = input;
  const publicId = input.companyPublicId;
  if (publicId) {
    const company = await findCompany(companies, media, { publicId }, read);
    if (!company) throw notFound(caller, media, 'company-not-found');
    return { company };
  }
  const identities = identitiesIn(input);
  for (const { identifiedBy, query } of identities) {
    const company = await findCompany(companies, media, query, read);
    // Compute the key again: an older process may have stored a key that two different names share.
    const isMeant = identifiedBy !== 'name' || (company && nameKey(company.name) === query.nameKey);
    if (company && isMeant) return { company, identifiedBy };
  }
  const elsewhere = {
    $or: identities.map(({ query }) => query),
    'memberships.media': { $ne: media },
  };
  if (await companies.findOne(elsewhere, { projection: { _id: 1 } }))
    throw conflicting(
      'company-already-existed',
      identities.map(({ identifiedBy }) => identifiedBy),
    );
  throw notFound(caller, media, 'company-not-found');
}

export const findCompany = (
  companies: Collection<CompanyRecord>,
  mediaPublicId: string,
  by: Partial<CompanyRecord>,
  read: Document,
): Promise<CompanyRecord | null> =>
  companies.findOne(allOf(by, { 'memberships.media': mediaPublicId }), { projection: read });

/** In UTF-16 units. No stored name is longer, so don't compute the comparison key of a longer text. */
const mostNameUnits = 4 * companyFields.name.maximum;

function identitiesIn({ domainUrl, name }: CompanyFields) {
  const keys = {
    domainUrl: domainUrl && domainKey(domainUrl),
    name: name && name.length <= mostNameUnits && nameKey(name),
  };
  return (['domainUrl', 'name'] as const).flatMap((identifiedBy) => {
    const key = keys[identifiedBy];
    return key ? [{ identifiedBy, query: { [identityKeys[identifiedBy]]: key } }] : [];
  });
}

/** Reading these fields needs no references. */
const identifyingFields = { name: companyFields.name, domainUrl: companyFields.domainUrl };

/** The faults of an update that does not identify its media or its company (Contract 4.1.5). */
export function identifierFaults(input: IdentifiedFields, readFaults: readonly FieldFault[]): FieldFault[] {
  const found = (...names: string[]) => readFaults.filter(({ field }) => names.includes(field));
  const faults = found('mediaPublicId', 'companyPublicId');
  if (!input.mediaPublicId && found('mediaPublicId').length === 0) {
    faults.push(fieldFault.missing('mediaPublicId'));
  }
  const { companyPublicId } = input;
  if (found('companyPublicId').length > 0) return faults;
  if (companyPublicId || identitiesIn(input).length > 0) {
    const reader = new FieldReader(faults);
    if (companyPublicId !== undefined) reader.present('companyPublicId', companyPublicId);
    return reader.faults;
  }
  // Report an unreadable domain or name. If neither was given, report the public id as missing.
  const reader = new FieldReader(found('domainUrl', 'name'));
  const given = { name: input.name || undefined, domainUrl: input.domainUrl || undefined };
  readFields(identifyingFields, given, { record: {}, book: emptyBook, reader });
  return [...faults, ...(reader.faults.length > 0 ? reader.faults : [fieldFault.missing('companyPublicId')])];
}
