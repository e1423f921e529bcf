import { expect, it } from '@jest/globals';
import { type MediaArguments, trimMediaId } from '../../src/access/trim-media-id.js';

type Resolver = (...args: unknown[]) => unknown;

/** The arguments that the resolver gets. */
const trimmed = (args: MediaArguments & Record<string, unknown>) =>
  (trimMediaId as Resolver)((_parent: unknown, passed: MediaArguments) => passed, null, args, {}, {});

it('the id of a media is trimmed wherever it stands, and nothing else is touched', async () => {
  expect(await trimmed({ mediaPublicId: ' a\t', first: 5 })).toStrictEqual({ mediaPublicId: 'a', first: 5 });
  const input = { mediaPublicId: '\n a ', name: ' n ' };
  expect(await trimmed({ input })).toStrictEqual({ input: { mediaPublicId: 'a', name: ' n ' } });
  expect(await trimmed({ publicId: ' p ' })).toStrictEqual({ publicId: ' p ' });
});
