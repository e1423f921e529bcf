import { describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import { FieldReader } from '../../src/fields/field-reader.rules.js';
import { type FieldTable, patched, readFields, referencesIn } from '../../src/fields/fields.rules.js';
import { fieldTypes } from '../../src/fields/field-types.rules.js';
import { ReferenceSnapshot } from '../../src/fields/reference-snapshot.js';

const ids = ['a', 'b', 'c'].map((publicId) => ({ publicId, _id: new Types.ObjectId() }));
const snapshot = new ReferenceSnapshot(
  ids.map((each) => ({
    ...each,
    kind: 'sector' as const,
    parent: null,
    name: { en: each.publicId, fr: each.publicId },
  })),
);
const description = '';
const table: FieldTable = {
  place: { type: fieldTypes.text(3), path: 'at.place', description },
  domain: { type: { ...fieldTypes.text(3), cleared: null }, path: 'domain', description },
  note: { type: fieldTypes.freeText(3), path: 'note', description },
  url: { type: fieldTypes.url(20), path: 'url', description },
  sectors: {
    type: fieldTypes.references('sector', 2, { name: 'sectorList', description }),
    path: 'sectors',
    description,
  },
  sector: { type: fieldTypes.reference('sector'), path: 'one', description },
  state: { type: fieldTypes.choice(['on', 'off']), path: 'state', description },
  emails: { type: fieldTypes.emails(2), path: 'mail', description },
  text: { type: fieldTypes.html(20, { wrapPlainText: true }), path: 'texts.one', description },
};

function read(fields: Record<string, unknown>, record = {}) {
  const reader = new FieldReader([]);
  const patch = readFields(table, fields, { record, snapshot, reader });
  return { patch, faults: reader.faults.map(({ code }) => code), warnings: reader.warnings };
}
const nothing = { patch: {}, warnings: [] };

describe('field table', () => {
  it('accepts a stored text that it would refuse as a new one (Contract 5.1.8)', () => {
    const note = 'a\vb';
    expect(read({ note }, { note })).toEqual({ ...nothing, patch: { note }, faults: [] });
    expect(read({ note }, { note: 'ab' })).toEqual({ ...nothing, faults: ['note-format-error'] });
  });

  it.each([
    [{ place: 'abcd' }, { at: { place: 'abcd' } }],
    [{ note: 'abcd' }, { note: 'abcd' }],
    [{ url: `https://${'a'.repeat(20)}.example/` }, { url: `https://${'a'.repeat(20)}.example/` }],
    [{ text: `<p>${'a'.repeat(20)}</p>` }, { texts: { one: `<p>${'a'.repeat(20)}</p>` } }],
    [
      { emails: ['a@b.example', 'c@b.example', 'd@b.example'] },
      { mail: ['a@b.example', 'c@b.example', 'd@b.example'] },
    ],
    [{ sectors: 'a;b;c' }, { sectors: ids.map(({ _id }) => _id) }],
    [{ sectors: ids.map(({ _id }) => String(_id)) }, { sectors: ids.map(({ _id }) => _id) }],
  ])('accepts %j, which is stored, though its maximum is lower now (Contract 5.1.10)', (given, record) => {
    const { patch, faults } = read(given, record);
    expect(faults).toEqual([]);
    expect(patched(record, patch)).toEqual(record);
    expect(read(given).faults).toEqual([expect.stringMatching(/-too-(long|many)$/)]);
  });

  it('does not clean HTML equal to the stored text (Contract 5.6)', () => {
    expect(read({ text: '<p>a' }, { texts: { one: '<p>a' } }).patch).toEqual({ 'texts.one': '<p>a' });
  });

  it.each([
    ['<p>a\nb</p>', '<p>a\r\nb</p>'],
    ['<p>a\r\nb</p>', '<p>a\nb</p>'],
    ['<p>a\rb</p>', '<p>a\nb</p>'],
  ])('keeps the stored %j when %j is sent back, but stores other text (Contract 5.1.10)', (stored, given) => {
    const record = { texts: { one: stored } };
    expect(read({ text: given }, record).patch).toEqual({ 'texts.one': stored });
    const other = given.replace('b', '\nb');
    expect(read({ text: other }, record).patch).toEqual({ 'texts.one': other });
  });

  it('referencesIn lists the references to look up (Contract 5.4.5)', () => {
    const named = (fields: object) => referencesIn(table, fields as never);
    expect(named({ sector: 'a', sectors: 'b;c', place: 'x', other: 'y', note: null })).toEqual([
      { kind: 'sector', id: 'b' },
      { kind: 'sector', id: 'c' },
      { kind: 'sector', id: 'a' },
    ]);
    expect(named({ sector: null, sectors: '' })).toEqual([]);
    expect(named({ sector: 'a;b' })).toEqual([{ kind: 'sector', id: 'a;b' }]);
    expect(named({ sectors: `a${';a'.repeat(99)}` })).toEqual([{ kind: 'sector', id: 'a' }]);
    expect(named({ sectors: `a${';a'.repeat(100)}` })).toHaveLength(101);
  });
});
