import { describe, expect, it } from '@jest/globals';
import { demoData } from '../../src/demo/demo-data.js';
import { fieldFault } from '../../src/errors/field-fault.js';
import { type JobFields, jobFields } from '../../src/job/job-fields.rules.js';
import { readJobUpdate } from '../../src/job/job-update.rules.js';
import { type JobRecord } from '../../src/job/job.model.js';
import { emptyLocation } from '../../src/job/location/location.js';
import { ReferenceBook } from '../../src/reference/reference-book.js';

const { jobs, references } = demoData(new Date());
const book = new ReferenceBook(references);
const job = (own: Partial<JobRecord> = {}): JobRecord => ({ ...jobs[0]!, ...own });
const nowhere = { location: { ...emptyLocation, city: 'Somewhere' }, isResolved: false };

const read = (
  fields: JobFields,
  record = job(),
  readFaults = [] as ReturnType<typeof fieldFault.missing>[],
) => readJobUpdate(fields, { record, book, resolveLocation: () => nowhere, readFaults });

describe('an update of a job', () => {
  it('that says nothing stores nothing (Contract 4.2.8, 4.3.3.1)', () => {
    expect(read({})).toEqual({ patch: {}, state: undefined, faults: [], warnings: [] });
  });

  it('asks the book for each reference by its own kind (Contract 4.2.10)', () => {
    for (const [name, field] of Object.entries(jobFields)) {
      if (field.type !== 'reference') continue;
      const [record] = book.list(field.kind);
      expect(read({ [name]: record?.publicId }).patch).toEqual({ [field.path]: record?._id });
    }
  });

  it('tells an unknown place as the city, with a warning (Contract 4.2.7.3)', () => {
    expect(read({ localisation: 'Somewhere' })).toMatchObject({
      patch: { localisation: 'Somewhere', location: nowhere.location },
      warnings: [{ code: 'location-unresolved', field: 'localisation' }],
    });
  });

  it('warns of an unknown place each time that it is sent (Contract 4.2.7.3)', () => {
    const record = job({ localisation: 'Somewhere', location: nowhere.location });
    expect(read({ localisation: 'Somewhere' }, record).warnings).toHaveLength(1);
  });

  it('never makes the name a fault, even one that the door found (Contract 4.2.5)', () => {
    expect(read({ salary: 'x' }, job(), [fieldFault.mustBe('name', 'string')])).toMatchObject({
      faults: [],
      warnings: [{ code: 'name-immutable', field: 'name' }],
    });
  });

  it('has the faults of the door among its own (Contract 7.3.1)', () => {
    const { faults } = read({ salary: 'x'.repeat(31) }, job(), [fieldFault.mustBe('localisation', 'string')]);
    expect(faults.map(({ code }) => code)).toEqual(['localisation-must-be-string', 'salary-too-long']);
  });

  it('takes a URL at fault for given, so that it is not told as missing too (Contract 4.2.9.2)', () => {
    const { faults } = read({ applicationMethod: 'external_apply' }, job(), [
      fieldFault.mustBe('applicationUrl', 'string'),
    ]);
    expect(faults.map(({ code }) => code)).toEqual(['application_url-must-be-string']);
  });
});
