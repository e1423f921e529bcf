import { FieldReader } from '../content/field-reader.rules.js';
import { readFields, type ReadContext } from '../content/fields.rules.js';
import { type Warning } from '../content/warning.js';
import { type FieldFault } from '../errors/field-fault.js';
import { type Patch } from '../history/changes.rules.js';
import { type CompanyFields, companyFields } from './company-fields.rules.js';

export interface CompanyUpdate {
  patch: Patch;
  faults: readonly FieldFault[];
  warnings: Warning[];
}

/** Checks every field of the update at once and says what it would store. */
export function readCompanyUpdate(
  { logoUrl, ...fields }: CompanyFields,
  given: Omit<ReadContext, 'reader'> & { hasLogoFile: boolean; readFaults: readonly FieldFault[] },
): CompanyUpdate {
  const reader = new FieldReader(given.readFaults);
  const isUrlIgnored = given.hasLogoFile && logoUrl != null;
  if (isUrlIgnored) reader.warn('logo-url-ignored', 'logoUrl');
  const read = isUrlIgnored ? fields : { ...fields, logoUrl };
  const patch = readFields(companyFields, read, { ...given, reader });
  return { patch, faults: reader.faults, warnings: reader.warnings };
}
