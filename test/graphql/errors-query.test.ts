import { describe, expect, it } from '@jest/globals';
import { type GraphQLEnumType } from 'graphql';
import { catalogue, errorCodes } from '../../src/errors/catalogue.js';
import { buildSchema } from '../../src/graphql/schema.js';
import { ownGateway } from '../support/own-gateway.js';
import { graphql } from '../support/requests.js';

const gateway = ownGateway();

const ask = async (token?: string, language = 'en') =>
  graphql(
    gateway,
    '{ errors { code error status graphqlCode message } }',
    {},
    { token, headers: { 'accept-language': language } },
  );

describe('errors', () => {
  it.each(['en', 'fr'] as const)(
    'lists the whole catalogue, its messages in %s (Contract 4.4.9)',
    async (language) => {
      const { body } = await ask(await gateway.token({ roles: [], scope: '' }), language);
      expect(body.data).toEqual({
        errors: errorCodes.map((code) => ({
          code: code.replaceAll('-', '_'),
          error: code,
          status: catalogue[code].status,
          graphqlCode: catalogue[code].graphqlCode,
          message: catalogue[code].message[language],
        })),
      });
    },
  );

  it('needs a token, as everything that is not allowed (Contract 5.2.3)', async () => {
    const { status, body } = await ask();
    expect([status, body.data]).toEqual([401, { errors: null }]);
  });

  it('has its codes as an enum of the schema (Contract 4.4.9)', () => {
    const type = buildSchema().getType('ErrorCode') as GraphQLEnumType;
    expect(type.getValues().map(({ value }) => value as string)).toEqual(errorCodes);
  });
});
