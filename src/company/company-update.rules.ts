import { FieldReader } from '../content/field-reader.rules.js';
import { readFields, type ReadContext } from '../content/fields.rules.js';
import { type Warning } from '../content/warning.js';
import { type FieldFault } from '../errors/field-fault.js';
import { changesOf, type Patch } from '../history/changes.rules.js';
import { type FieldChange } from '../history/history-entry.js';
import { type CompanyFields, companyFields } from './company-fields.rules.js';

interface CompanyUpdate {
  patch: Patch;
  faults: readonly FieldFault[];
  warnings: Warning[];
}

/** What is stored for the fields that can identify a company. */
const pathsStored = { name: ['name', 'nameKey'], domainUrl: ['domainUrl', 'domainKey'] } as const;

/** Checks all fields of the update and says what it would store in the company. */
export function readCompanyUpdate(
  { logoUrl, ...fields }: CompanyFields,
  given: Omit<ReadContext, 'reader'> & {
    hasLogoFile: boolean;
    readFaults: readonly FieldFault[];
    /** The field whose value identified the company. It is checked, and not applied (Contract 4.1.5.4). */
    identifiedBy?: keyof typeof pathsStored | undefined;
  },
): CompanyUpdate {
  const reader = new FieldReader(given.readFaults);
  const isUrlIgnored = given.hasLogoFile && logoUrl != null;
  if (isUrlIgnored) reader.warn('logo-url-ignored', 'logoUrl');
  const read = isUrlIgnored ? fields : { ...fields, logoUrl };
  const patch = readFields(companyFields, read, { ...given, reader });
  for (const path of given.identifiedBy ? pathsStored[given.identifiedBy] : []) delete patch[path];
  return { patch, faults: reader.faults, warnings: reader.warnings };
}

/** What a patch changes in a company. The keys for comparison change with their fields, but no history shows them. */
export function companyChanges(
  company: object,
  patch: Patch,
): { changes: FieldChange[]; derived: Record<string, unknown> } {
  const all = changesOf(company, patch);
  const isKey = ({ field }: FieldChange) => field === 'nameKey' || field === 'domainKey';
  return {
    changes: all.filter((change) => !isKey(change)),
    derived: Object.fromEntries(all.filter(isKey).map(({ field, after }) => [field, after])),
  };
}
