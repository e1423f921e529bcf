import { describe, expect, it } from '@jest/globals';
import mongoose from 'mongoose';
import { changesOf, patched, valueAt } from '../../src/fields/fields.rules.js';

const record = {
  name: 'n',
  salary: null,
  description: { jobDesc: 'old', benefitDesc: null },
  office: new mongoose.Types.ObjectId('a'.repeat(24)),
  publishedAt: new Date(0),
  emails: ['a@b.fr', 'c@d.fr'],
};

describe('applying a patch to a record', () => {
  it('sets each value at its path and keeps everything else', () => {
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

describe('the changes that a patch makes (Contract 6.1.4)', () => {
  it('list each field before and after, in the order of the patch', () => {
    expect(changesOf(record, { 'description.jobDesc': 'new', salary: '1 €', added: 1, name: null })).toEqual([
      { field: 'description.jobDesc', before: 'old', after: 'new' },
      { field: 'salary', before: null, after: '1 €' },
      { field: 'added', before: null, after: 1 },
      { field: 'name', before: 'n', after: null },
    ]);
  });

  it('leave out fields whose value stays equal', () => {
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
    ['another id', { office: new mongoose.Types.ObjectId('b'.repeat(24)) }],
    ['another instant', { publishedAt: new Date(1) }],
    ['another order of a list', { emails: [...record.emails].reverse() }],
    ['an instant that becomes a text', { publishedAt: new Date(0).toISOString() }],
    ['null that becomes an object', { salary: {} }],
    ['an object that becomes null', { office: null }],
  ])('include %s', (_what, patch) => expect(changesOf(record, patch)).toHaveLength(1));
});

it('reading a path that does not exist gives null', () => {
  expect(valueAt(record, 'description.jobDesc')).toBe('old');
  expect(valueAt(record, 'description.none')).toBeNull();
  expect(valueAt(record, 'salary.amount')).toBeNull();
  expect(valueAt({}, 'location.city')).toBeNull();
});
