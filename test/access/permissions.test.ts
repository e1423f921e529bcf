import { expect, it } from '@jest/globals';
import { buildSchema, extendSchema, parse } from 'graphql';
import { applyMiddlewareToDeclaredResolvers } from 'graphql-middleware';
import { readFileSync } from 'node:fs';
import { permissions } from '../../src/access/permissions.js';
import { bareCall } from '../support/bare-call.js';

it('a resolver without a rule is denied, whoever adds it (Contract 5.2.3)', async () => {
  const sdl = readFileSync(new URL('../../schema/schema.graphql', import.meta.url), 'utf8');
  const schema = extendSchema(buildSchema(sdl), parse('extend type Query { added: String }'));
  const { added } = schema.getQueryType()?.getFields() ?? {};
  if (added) added.resolve = () => 'shown';
  const guards = permissions({ find: async () => ({}) }, { hasAnyWithinReach: async () => true });
  const guarded = applyMiddlewareToDeclaredResolvers(schema, guards);
  expect(await bareCall(schema, '{ added }', 'anyone', {})).toMatchObject({ answer: 'shown' });
  expect(await bareCall(guarded, '{ added }', 'anyone', {})).toMatchObject({
    answer: 'unauthorized-limitation',
  });
});
