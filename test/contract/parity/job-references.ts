import { demoReferenceId } from '../../support/demo-references.js';
import { jobFields } from '../../../src/job/job-fields.rules.js';
import { invalid, jobCase, type ParityCase } from './parity-case.js';
import { firstOfKind } from './table-fields.js';

/** A contract that the demo job does not have. */
const publicId = 'internship';
const hex = demoReferenceId('contract', publicId).toHexString();

export const jobReferences: readonly ParityCase[] = firstOfKind(jobFields, 'reference').flatMap(
  ({ field, path }) => {
    return [
      ...Object.entries({
        'its public id': publicId,
        'its 24-hex id': hex,
        'its 24-hex id in capitals': hex.toUpperCase(),
        'its public id with spaces around it': ` ${publicId}\t`,
      }).map(([by, id]) =>
        jobCase(`${field}: a reference can be named by ${by} (Contract 4.2.10)`, {
          fields: { [field]: id },
          stored: { [path]: hex },
        }),
      ),
      ...Object.entries({
        'an unknown public id': 'nothing',
        'a public id in capitals': publicId.toUpperCase(),
        'an unknown 24-hex id': 'f'.repeat(24),
        'the public id of another kind': 'from_5000',
        'the 24-hex id of another kind': demoReferenceId('sector', 'software').toHexString(),
      }).map(([given, id]) =>
        jobCase(`${field}: ${given} is not found (Contract 4.2.10)`, {
          fields: { [field]: id },
          ...invalid(`${field}-not-found`),
        }),
      ),
      ...['', ' \u2003'].map((id) =>
        jobCase(`${field}: ${JSON.stringify(id)} clears nothing (Contract 4.3.3.3, 4.3.3.4)`, {
          fields: { [field]: id },
          ...invalid(`${field}-format-error`),
        }),
      ),
      jobCase(`${field}: a value that is not a text is a fault (Contract 4.3.2)`, {
        fields: { [field]: 7 },
        ...invalid(`${field}-must-be-string`),
        isRefusedByTypes: true,
      }),
    ];
  },
);
