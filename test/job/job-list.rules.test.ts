import { describe, expect, it } from '@jest/globals';
import { promptMs, startCpuClock } from '../support/prompt.js';
import { namePattern } from '../../src/content/name-pattern.rules.js';
import { jobListQuery } from '../../src/job/job-list.rules.js';

const now = new Date('2026-01-01T00:00:00Z');
const before = new Date('2026-02-01T00:00:00Z');
const query = (filter: object) => jobListQuery({ mediaPublicId: 'm', ...filter }, now);

describe('the query of a job list', () => {
  it.each([
    [{}, { media: 'm' }],
    [{ companyPublicId: null, state: null, name: null, expiringBefore: null }, { media: 'm' }],
    [{ companyPublicId: 'c' }, { $and: [{ media: 'm' }, { company: 'c' }] }],
    [{ name: 'x' }, { $and: [{ media: 'm' }, { name: /x/i }] }],
    [{ state: 'draft' }, { $and: [{ media: 'm' }, { state: 'draft' }] }],
    [
      { state: 'published' },
      {
        $and: [
          { media: 'm' },
          { state: 'published', $or: [{ expiresAt: { $gt: now } }, { expiresAt: null }] },
        ],
      },
    ],
    [
      { state: 'archived' },
      {
        $and: [
          { media: 'm' },
          { $or: [{ state: 'archived' }, { state: 'published', expiresAt: { $lte: now } }] },
        ],
      },
    ],
    [
      { state: 'draft', expiringBefore: before },
      {
        $and: [
          { media: 'm' },
          { state: 'draft' },
          { state: 'published', expiresAt: { $gt: now, $lt: before } },
        ],
      },
    ],
  ])('for the filter %j is %j (Contract 3.3.2, 4.4.7)', (filter, expected) => {
    expect(query(filter)).toEqual(expected);
  });
});

describe('the pattern of a name search', () => {
  it('is cut to 256 characters, more than any name has', () => {
    expect(namePattern('a'.repeat(30_000)).source).toBe('a'.repeat(256));
  });

  it('is built fast from 1 MiB of text, even a hundred times per request (Contract 8.6.11)', () => {
    const text = 'a\x7f'.repeat(2 ** 19);
    const cpuMs = startCpuClock();
    for (let field = 0; field < 100; field += 1) namePattern(text);
    expect(cpuMs()).toBeLessThan(promptMs);
    expect(namePattern(` ${text}`).source).toBe('a'.repeat(256));
  });

  it.each([
    ['a', 'Bank', true],
    [' C++ ', 'c++ developer', true],
    ['C++', 'ccc', false],
    ['a.b', 'axb', false],
    ['(x) [y] {z} | ^ $ * ? \\ / -', '(x) [y] {z} | ^ $ * ? \\ / -', true],
    ['a\0b', 'ab', true],
    ['\0 a \0', 'ba', true],
    [`${' '.repeat(2_000)}b`, 'a', false],
    [`${'a'.repeat(150)}b`, 'a'.repeat(150), false],
    [`${'a'.repeat(300)}b`, 'a'.repeat(255), false],
    [`a${'😀'.repeat(140)}`, `a${'😀'.repeat(140)}`, true],
    ['a'.repeat(150), 'a'.repeat(149), false],
    ['ingénieur'.normalize('NFD'), 'Ingénieur', true],
    ['ingénieur', 'Ingénieur'.normalize('NFD'), true],
    ['10 \u212b', 'about 10 \u212b', true],
    ['ingenieur', 'Ingénieur', false],
  ])('for %j matches the name %j: %p (Contract 4.4.7)', (text, name, isFound) => {
    expect(namePattern(text).test(name)).toBe(isFound);
  });
});
