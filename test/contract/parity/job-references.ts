import { demoReferenceId } from '../../support/demo-references.js';
import { jobFields } from '../../../src/job/job-fields.rules.js';
import { jobCase, type ParityCase } from './parity-case.js';
import { firstOfKind } from './table-fields.js';

/** A contract that the demo job does not have. */
const publicId = 'internship';
const hex = demoReferenceId('contract', publicId).toHexString();

export const jobReferences: readonly ParityCase[] = firstOfKind(jobFields, 'reference').flatMap(
  ({ field, path }) =>
    [publicId, hex, hex.toUpperCase(), ` ${publicId}\t`].map((id) =>
      jobCase(`${field}: ${JSON.stringify(id)} is a reference (Contract 5.4.5)`, {
        fields: { [field]: id },
        stored: { [path]: hex },
      }),
    ),
);
