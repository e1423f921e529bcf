import { describe, expect, it } from '@jest/globals';
import { type InputFields, pathsOf } from '../../src/fields/fields.rules.js';
import { demoData } from '../../src/demo/demo-data.js';
import { fieldFault } from '../../src/errors/field-fault.js';
import { Unread } from '../../src/fields/unread.rules.js';
import { jobTexts } from '../../src/job/job-choices.rules.js';
import { jobFields } from '../../src/job/job-fields.rules.js';
import { readJobUpdate } from '../../src/job/job-update.rules.js';
import { blankJob, type JobRecord } from '../../src/job/job.record.js';
import { emptyLocation } from '../../src/job/location/location.js';
import { ReferenceSnapshot } from '../../src/fields/reference-snapshot.js';
import { parseSettings } from '../../src/settings/settings.js';

const now = new Date();
const settings = parseSettings({});
const { jobs, references } = demoData(now);
const snapshot = new ReferenceSnapshot(references);
const job = (own: Partial<JobRecord> = {}): JobRecord => ({ ...jobs[0]!, ...own });
const nowhere = { location: { ...emptyLocation, city: 'Somewhere' }, isResolved: false };

const read = (fields: InputFields, record = job()) =>
  readJobUpdate(fields, { record, snapshot, resolveLocation: () => nowhere, now, settings });
const notText = (field: string) => ({ [field]: new Unread(fieldFault.mustBe(field, 'string')) });

describe('an update of a job', () => {
  it('without fields stores nothing (Contract 4.2.8, 4.3.3.1)', () => {
    expect(read({})).toEqual({ patch: {}, isAllowed: true, faults: [], warnings: [] });
  });

  it('looks up each reference by the kind of its field (Contract 4.2.10)', () => {
    for (const [name, field] of Object.entries(jobFields)) {
      if (!field.kind.refersTo) continue;
      const [record] = snapshot.list(field.kind.refersTo.kind);
      expect(read({ [name]: record?.publicId }).patch).toEqual({ [field.path]: record?._id });
    }
  });

  it('stores each text at its field’s path, and null clears the text (Contract 4.2.6)', () => {
    for (const [name, { kind, path }] of Object.entries(jobFields)) {
      if (kind.name !== 'html') continue;
      expect(read({ [name]: 'x' }).patch).toEqual({ [path]: '<p>x</p>' });
      expect(read({ [name]: null }).patch).toEqual({ [path]: null });
    }
  });

  it('has a field for each text of a job (Contract 2.2.3)', () => {
    expect(jobTexts.map((text) => `description.${text}`)).toEqual(pathsOf(jobFields, 'isLong'));
    expect(Object.entries(blankJob.description)).toEqual(jobTexts.map((text) => [text, null]));
  });

  it('that clears the place text clears the location too (Contract 4.2.7)', () => {
    expect(read({ localisation: null }, job({ localisation: 'Paris' })).patch).toEqual({
      localisation: null,
      location: emptyLocation,
    });
  });

  it('that sends the stored place text keeps the location (Contract 4.2.7)', () => {
    const location = { ...emptyLocation, countryCode: 'FRA', address: '1 rue A' };
    expect(read({ localisation: 'Paris' }, job({ localisation: 'Paris', location })).patch).toEqual({});
    expect(read({ localisation: 'Lyon' }, job({ localisation: 'Paris', location })).patch).toEqual({
      localisation: 'Lyon',
      location: nowhere.location,
    });
  });

  it('that sends the stored place text keeps an operator’s location if the text does not resolve (Contract 4.2.8)', () => {
    const location = { ...emptyLocation, city: 'Somewhere', address: '1 rue A' };
    for (const localisation of ['Somewhere', null])
      expect(read({ localisation }, job({ localisation, location })).patch).toEqual({});
    const known = { location: { ...emptyLocation, countryCode: 'FRA' }, isResolved: true };
    const record = job({ localisation: 'Paris', location });
    const { patch, warnings } = readJobUpdate(
      { localisation: 'Paris' },
      { record, snapshot, resolveLocation: () => known, now, settings },
    );
    expect({ patch, warnings }).toEqual({
      patch: { localisation: 'Paris', location: known.location },
      warnings: [],
    });
  });

  it('stores an unknown place as the city, with a warning (Contract 4.2.7.3)', () => {
    expect(read({ localisation: 'Somewhere' })).toMatchObject({
      patch: { localisation: 'Somewhere', location: nowhere.location },
      warnings: [{ code: 'location-unresolved', field: 'localisation' }],
    });
  });

  it('warns of an unknown place each time it is sent (Contract 4.2.7.3)', () => {
    const record = job({ localisation: 'Somewhere', location: nowhere.location });
    expect(read({ localisation: 'Somewhere' }, record).warnings).toHaveLength(1);
  });

  it('never reports a fault of the name (Contract 4.2.5)', () => {
    expect(read({ salary: 'x', ...notText('name') })).toMatchObject({
      faults: [],
      warnings: [{ code: 'name-immutable', field: 'name' }],
    });
  });

  it('also reports the faults that the API found (Contract 7.3.1)', () => {
    const { faults } = read({ salary: 'x'.repeat(31), ...notText('localisation') });
    expect(faults.map(({ code }) => code)).toEqual(['localisation-must-be-string', 'salary-too-long']);
  });

  const url = 'https://a.example/apply';
  const missing = 'missing-application_url';
  it.each([
    ['internal_apply', null, {}, []],
    ['internal_apply', null, { applicationMethod: 'external_apply' }, [missing]],
    ['internal_apply', null, { applicationMethod: 'external_apply', applicationUrl: url }, []],
    ['internal_apply', url, { applicationMethod: 'external_apply' }, []],
    ['external_apply', null, {}, [missing]],
    ['external_apply', null, { applicationUrl: url }, []],
    ['external_apply', null, { applicationMethod: 'internal_apply' }, []],
    ['external_apply', url, {}, []],
  ] as const)(
    'with method %s and URL %p stored, and %j sent, reports the faults %j (Contract 4.2.9.2)',
    (method, stored, fields, faults) => {
      const { faults: found } = read(fields, job({ applicationMethod: method, applicationUrl: stored }));
      expect(found.map(({ code }) => code)).toEqual(faults);
    },
  );

  it('reports a missing URL with the faults of other fields (Contract 4.2.9.2, 7.3.1)', () => {
    const { faults } = read(
      { salary: 'x'.repeat(31), applicationMethod: 'external_apply' },
      job({ applicationUrl: null }),
    );
    expect(faults.map(({ code }) => code)).toEqual(['salary-too-long', missing]);
  });

  it('warns of a name only if it differs from the stored one (Contract 4.2.5)', () => {
    const record = job({ name: 'Cook' });
    expect(read({ name: 'Chef' }, record).warnings).toEqual([{ code: 'name-immutable', field: 'name' }]);
    expect(read({ name: 'Cook' }, record).warnings).toEqual([]);
    expect(read({ name: null }, record).warnings).toEqual([]);
  });

  it('does not report an invalid URL as missing (Contract 4.2.9.2)', () => {
    const { faults } = read({ applicationMethod: 'external_apply', ...notText('applicationUrl') });
    expect(faults.map(({ code }) => code)).toEqual(['application_url-must-be-string']);
  });
});
