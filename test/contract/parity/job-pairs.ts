import { jobCase, type ParityCase } from './parity-case.js';

/** One fault of each field that both doors can say, and its code. */
const faulty: Record<string, [value: unknown, code: string]> = {
  state: [null, 'state-must-be-string'],
  contract_id: ['nothing', 'contract_id-not-found'],
  job_category_id: ['', 'job_category_id-format-error'],
  worktime_id: ['hybrid', 'worktime_id-not-found'],
  remote_policy_id: ['\t', 'remote_policy_id-format-error'],
  education_id: ['nothing', 'education_id-not-found'],
  experience_id: [null, 'experience_id-must-be-string'],
  salary: ['1'.repeat(31), 'salary-too-long'],
  localisation: ['x'.repeat(256), 'localisation-too-long'],
  description_job: ['x'.repeat(20_000), 'description_job-too-long'],
  application_method: ['external_apply', 'missing-application_url'],
  manager_emails: ['', 'manager_emails-format-error'],
  recruiter_emails: ['a@b.example;'.repeat(2) + 'nobody', 'recruiter_emails-format-error'],
};

const fields = Object.entries(faulty);

/** Every pair of these, and all of them together: a fault never hides another. */
export const jobPairs: readonly ParityCase[] = [
  ...fields.flatMap(([one, [oneValue, oneCode]], index) =>
    fields.slice(index + 1).map(([other, [otherValue, otherCode]]) =>
      jobCase(`faults of ${one} and ${other} are told together (Contract 7.3.1)`, {
        fields: { [one]: oneValue, [other]: otherValue },
        refused: 'validation-failed',
        faults: [oneCode, otherCode],
      }),
    ),
  ),
  jobCase('the faults of all fields are told together (Contract 7.3.1)', {
    fields: Object.fromEntries(fields.map(([field, [value]]) => [field, value])),
    refused: 'validation-failed',
    faults: fields.map(([, [, code]]) => code),
  }),
];
