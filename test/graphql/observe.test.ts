import { expect, it } from '@jest/globals';
import { trimIds } from '../../src/graphql/observe.js';

it('spaces around ids are trimmed in arguments at any depth, but not around other values', () => {
  expect(trimIds({ mediaPublicId: ' a\t', first: 5 })).toStrictEqual({ mediaPublicId: 'a', first: 5 });
  expect(trimIds({ input: { mediaPublicId: '\n a ', jobPublicId: ' j', name: ' n ' } })).toStrictEqual({
    input: { mediaPublicId: 'a', jobPublicId: 'j', name: ' n ' },
  });
  expect(trimIds({ publicId: ' p ', name: ' n ' })).toStrictEqual({ publicId: 'p', name: ' n ' });
  expect(trimIds({ companyPublicId: null })).toStrictEqual({ companyPublicId: null });
});
