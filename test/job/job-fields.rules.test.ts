import { describe, expect, it } from '@jest/globals';
import { FieldReader } from '../../src/fields/field-reader.rules.js';
import { type InputFields } from '../../src/fields/fields.rules.js';
import { demoData } from '../../src/demo/demo-data.js';
import { readJobFields } from '../../src/job/job-fields.rules.js';
import { emptyLocation } from '../../src/job/location/location.js';
import { ReferenceSnapshot } from '../../src/fields/reference-snapshot.js';

const { jobs, references } = demoData(new Date());

function read(fields: InputFields) {
  const reader = new FieldReader();
  const patch = readJobFields(fields, {
    record: jobs[0]!,
    snapshot: new ReferenceSnapshot(references),
    resolveLocation: () => ({ location: emptyLocation, isResolved: true }),
    reader,
  });
  return { patch, faults: reader.faults.map(({ code }) => code) };
}

const text = (length: number) => 'x'.repeat(length);
const paragraph = (length: number) => `<p>${text(length - 7)}</p>`;
const url = (length: number) => `https://a.example/${text(length - 18)}`;
const addresses = (length: number) => Array.from({ length }, (_, at) => `a${at}@b.example`);

describe('a field of a job', () => {
  it.each([
    ['name', 'name', 150, text],
    ['salary', 'salary', 30, text],
    ['localisation', 'localisation', 255, text],
    ['descriptionCompany', 'description_company', 20_000, paragraph],
    ['descriptionJob', 'description_job', 20_000, paragraph],
    ['descriptionProfile', 'description_profile', 20_000, paragraph],
    ['descriptionBenefits', 'description_benefits', 20_000, paragraph],
    ['descriptionProcess', 'description_process', 20_000, paragraph],
    ['applicationUrl', 'application_url', 2_048, url],
    ['managerEmails', 'manager_emails', 4, addresses],
    ['recruiterEmails', 'recruiter_emails', 4, addresses],
  ] as const)('%s is rejected only above its maximum length (Contract 8.5)', (field, name, most, valueOf) => {
    const fullest = read({ [field]: valueOf(most) });
    expect(fullest.faults).toEqual([]);
    expect(Object.keys(fullest.patch)).not.toEqual([]);
    expect(read({ [field]: valueOf(most + 1) }).faults).toEqual([`${name}-too-long`]);
  });
});
