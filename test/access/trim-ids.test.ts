import { expect, it } from '@jest/globals';
import { type MediaArguments, trimIds } from '../../src/access/trim-ids.js';

type Resolver = (...args: unknown[]) => unknown;

/** The arguments that the resolver gets. */
const trimmed = (args: MediaArguments & Record<string, unknown>) =>
  (trimIds as Resolver)((_parent: unknown, passed: MediaArguments) => passed, null, args, {}, {});

it('an id is trimmed wherever it stands, and nothing else is touched', async () => {
  expect(await trimmed({ mediaPublicId: ' a\t', first: 5 })).toStrictEqual({ mediaPublicId: 'a', first: 5 });
  const input = { mediaPublicId: '\n a ', jobPublicId: ' j', name: ' n ' };
  expect(await trimmed({ input })).toStrictEqual({
    input: { mediaPublicId: 'a', jobPublicId: 'j', name: ' n ' },
  });
  expect(await trimmed({ publicId: ' p ', name: ' n ' })).toStrictEqual({ publicId: 'p', name: ' n ' });
  expect(await trimmed({ companyPublicId: null })).toStrictEqual({ companyPublicId: null });
});
