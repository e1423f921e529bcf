import { FieldReader } from '../fields/field-reader.rules.js';
import {
  changesOf,
  type FieldChange,
  type InputFields,
  type Patch,
  readFields,
} from '../fields/fields.rules.js';
import { type ReadContext } from '../fields/field-types.rules.js';
import { type FieldFault } from '../errors/field-fault.js';
import { companyFields } from './company-fields.rules.js';
import { identityKeys } from './company-identity.rules.js';

/** @param context.parseFaults come before all others */
export function readCompanyUpdate(
  { logoUrl, ...fields }: InputFields,
  context: Omit<ReadContext, 'reader'> & {
    parseFaults?: readonly FieldFault[] | undefined;
    hasLogoFile: boolean;
    isLogoAnimated?: boolean | undefined;
    /** This field is checked but not applied. */
    identifiedBy?: keyof typeof identityKeys | undefined;
  },
) {
  const reader = new FieldReader(context.parseFaults);
  if (context.hasLogoFile && logoUrl != null) reader.warn('logo-url-ignored', 'logoUrl');
  if (context.isLogoAnimated) reader.warn('logo-animation-removed', 'logo');
  const read = context.hasLogoFile ? fields : { ...fields, logoUrl };
  const patch = readFields(companyFields, read, { ...context, reader });
  const by = context.identifiedBy;
  if (by) {
    if (by in patch && patch[by] !== (context.record as Patch)[by]) reader.warn('identifier-not-applied', by);
    for (const path of [by, identityKeys[by]]) delete patch[path];
  }
  return { patch, faults: reader.faults, warnings: reader.warnings };
}

/** Changed comparison keys go to `derived`, because the history does not show keys. */
export function companyChanges(
  company: object,
  patch: Patch,
): { changes: FieldChange[]; derived: Record<string, unknown> } {
  const all = changesOf(company, patch);
  const isKey = ({ field }: FieldChange) => Object.values<string>(identityKeys).includes(field);
  return {
    changes: all.filter((change) => !isKey(change)),
    derived: Object.fromEntries(all.filter(isKey).map(({ field, after }) => [field, after])),
  };
}
