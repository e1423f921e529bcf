import { describe, expect, it } from '@jest/globals';
import mongoose from 'mongoose';
import { changesOf, patched, valueAt } from '../../src/history/changes.rules.js';

const record = {
  name: 'n',
  salary: null,
  description: { jobDesc: 'old', benefitDesc: null },
  office: new mongoose.Types.ObjectId('a'.repeat(24)),
  publishedAt: new Date(0),
  emails: ['a@b.fr', 'c@d.fr'],
};

describe('a record with the values of a patch', () => {
  it('has each at its path, and all else as it was', () => {
    expect(patched(record, { salary: '1 €', 'description.jobDesc': 'new', added: 1 })).toEqual({
      ...record,
      salary: '1 €',
      description: { jobDesc: 'new', benefitDesc: null },
      added: 1,
    });
    expect(record.description.jobDesc).toBe('old');
    expect(patched({}, { 'location.city': 'Lyon' })).toEqual({ location: { city: 'Lyon' } });
  });
});

describe('what a patch changes (Contract 10.1.1)', () => {
  it('is each field with its value before and after, in the order of the patch', () => {
    expect(changesOf(record, { 'description.jobDesc': 'new', salary: '1 €', added: 1, name: null })).toEqual([
      { field: 'description.jobDesc', before: 'old', after: 'new' },
      { field: 'salary', before: null, after: '1 €' },
      { field: 'added', before: null, after: 1 },
      { field: 'name', before: 'n', after: null },
    ]);
  });

  it('is nothing where ids, instants, lists and objects are equal by their values', () => {
    const same = {
      name: 'n',
      salary: null,
      absent: null,
      office: new mongoose.Types.ObjectId('a'.repeat(24)),
      publishedAt: new Date(0),
      emails: [...record.emails],
      description: { benefitDesc: null, jobDesc: 'old' },
    };
    expect(changesOf(record, same)).toEqual([]);
  });

  it.each([
    ['an id', { office: new mongoose.Types.ObjectId('b'.repeat(24)) }],
    ['an instant', { publishedAt: new Date(1) }],
    ['the order of a list', { emails: [...record.emails].reverse() }],
    ['a text for an instant', { publishedAt: new Date(0).toISOString() }],
    ['an object for nothing', { salary: {} }],
    ['nothing for an object', { office: null }],
  ])('may be %s', (_what, patch) => expect(changesOf(record, patch)).toHaveLength(1));
});

it('there is null where a path leads nowhere', () => {
  expect(valueAt(record, 'description.jobDesc')).toBe('old');
  expect(valueAt(record, 'description.none')).toBeNull();
  expect(valueAt(record, 'salary.amount')).toBeNull();
  expect(valueAt({}, 'location.city')).toBeNull();
});
