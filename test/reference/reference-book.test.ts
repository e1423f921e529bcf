import { describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import { ReferenceBook } from '../../src/reference/reference-book.js';
import { type ReferenceKind, type ReferenceRecord } from '../../src/reference/reference.model.js';

const recordOf = (publicId: string, kind: ReferenceKind = 'contract'): ReferenceRecord => ({
  _id: new Types.ObjectId(),
  kind,
  publicId,
  name: { en: publicId, fr: publicId },
  parent: null,
});

describe('a reference (Contract 4.1.4.1, 4.2.10)', () => {
  const cdi = recordOf('cdi');
  const book = new ReferenceBook([cdi]);

  it('is found by its public id as it is spelled, and by its 24-hex id in whatever case', () => {
    expect(book.find('contract', 'cdi')).toBe(cdi);
    expect(book.find('contract', 'CDI')).toBeUndefined();
    expect(book.find('contract', cdi._id.toHexString())).toBe(cdi);
    expect(book.find('contract', cdi._id.toHexString().toUpperCase())).toBe(cdi);
    expect(book.find('contract', cdi._id)).toBe(cdi);
  });

  it('is of its kind alone', () => {
    expect(book.find('worktime', 'cdi')).toBeUndefined();
    expect(book.find('worktime', cdi._id)).toBeUndefined();
  });

  it('that a record stores is not taken for another one, which has its 24-hex id as a public id', () => {
    const other = recordOf(cdi._id.toHexString());
    const both = new ReferenceBook([cdi, other]);
    expect(both.find('contract', cdi._id)).toBe(cdi);
    expect(both.find('contract', cdi._id.toHexString())).toBe(other);
  });
});
