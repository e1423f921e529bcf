import { describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import { readCompanyUpdate } from '../../src/company/company-update.rules.js';
import { type InputFields } from '../../src/fields/fields.rules.js';
import { ReferenceSnapshot } from '../../src/fields/reference-snapshot.js';

const sectors = Array.from({ length: 11 }, (_, at) => ({
  kind: 'sector' as const,
  publicId: `s${at}`,
  _id: new Types.ObjectId(),
  parent: null,
  name: { en: '', fr: '' },
}));
const snapshot = new ReferenceSnapshot(sectors);

const read = (fields: InputFields) => {
  const { patch, faults } = readCompanyUpdate(fields, {
    record: {},
    snapshot,
    hasLogoFile: false,
  });
  return { patch, faults: faults.map(({ code }) => code) };
};
const url = (length: number) => `https://a.example/${'x'.repeat(length - 18)}`;
const ids = (length: number) =>
  sectors
    .slice(0, length)
    .map(({ publicId }) => publicId)
    .join(';');

describe('company field', () => {
  it.each([
    ['name', 'name', 150, (length: number) => 'x'.repeat(length)],
    ['domainUrl', 'domain_url', 2_048, url],
    ['sectorId', 'sector_id', 10, ids],
    ['description', 'description', 5_000, (length: number) => 'x'.repeat(length)],
    ['logoUrl', 'logo_url', 2_048, url],
  ] as const)('%s is accepted up to its maximum length (Contract 8.5)', (field, name, most, valueOf) => {
    const fullest = read({ [field]: valueOf(most) });
    expect(fullest.faults).toEqual([]);
    expect(Object.keys(fullest.patch)).not.toEqual([]);
    expect(read({ [field]: valueOf(most + 1) }).faults).toEqual([`${name}-too-long`]);
  });

  it('description without tags is stored as plain text (Contract 4.1.8)', () => {
    expect(read({ description: 'a\nb' }).patch).toEqual({ description: 'a\nb' });
  });
});
