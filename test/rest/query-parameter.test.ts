import { expect, it } from '@jest/globals';
import { buildSchema } from 'graphql';
import { queryParameters } from '../../src/rest/query-parameter.js';

it('a query parameter of a scalar that no query string has ends the start', () => {
  const schema = buildSchema('type Query { changes(mediaPublicId: ID!, first: Float, after: ID): ID }');
  expect(() => queryParameters(schema, 'changes')).toThrow('A query string cannot have a Float');
});
