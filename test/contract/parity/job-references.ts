import { demoReferenceId } from '../../support/demo-references.js';
import { type jobReferences as kindsOfJobs } from '../../../src/job/job-choices.rules.js';
import { jobFields } from '../../../src/job/job-fields.rules.js';
import { invalid, jobCase, type ParityCase } from './parity-case.js';
import { fieldsOfType } from './table-fields.js';

/** References that the demo job does not have. */
const others: Record<(typeof kindsOfJobs)[keyof typeof kindsOfJobs], string> = {
  contract: 'internship',
  job_category: 'data',
  worktime: 'part_time',
  remote: 'on_site',
  education: 'doctorate',
  experience: 'none',
};

export const jobReferences: readonly ParityCase[] = fieldsOfType(jobFields, 'reference').flatMap(
  ({ field, kind, path }) => {
    const publicId = others[kind as keyof typeof others];
    const hex = demoReferenceId(kind, publicId).toHexString();
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
