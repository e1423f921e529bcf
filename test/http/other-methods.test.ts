import { describe, expect, it } from '@jest/globals';
import { catalogue } from '../../src/errors/catalogue.js';
import { ownGateway } from '../support/own-gateway.js';
import { type GraphQLBody } from '../support/requests.js';

const gateway = ownGateway();

const { message } = catalogue['method-not-allowed'];
const french = { 'accept-language': 'fr' };

describe('a method that a path does not take', () => {
  it.each([
    ['/health', 'GET, HEAD'],
    ['/ready', 'GET, HEAD'],
    ['/metrics', 'GET, HEAD'],
    ['/openapi.json', 'GET, HEAD'],
    [`/logos/${'0'.repeat(64)}`, 'GET, HEAD'],
    ['/docs', 'GET, HEAD'],
    ['/explorer', 'GET, HEAD'],
    ['/companies', 'GET, HEAD, PATCH'],
    ['/jobs/any', 'GET, HEAD, POST, PATCH'],
    ['/references/contract', 'GET, HEAD'],
    ['/references/any', 'GET, HEAD'],
  ])(
    'of %s is 405 with the three-key body, and %s is allowed (Contract 7.1.1, 7.1.3)',
    async (path, allow) => {
      for (const method of ['PUT', 'DELETE', 'OPTIONS', 'PROPFIND']) {
        const reply = await fetch(gateway.url + path, { method, headers: french });
        expect([method, reply.status, reply.headers.get('allow')]).toEqual([method, 405, allow]);
        expect(await reply.json()).toEqual({
          status: 405,
          error: 'method-not-allowed',
          errorMessage: message.fr,
        });
      }
    },
  );

  it.each(['PUT', 'PATCH', 'DELETE', 'OPTIONS'])(
    '%s of /graphql is 405 in the form of GraphQL (Contract 7.1.3, 7.2.1, 7.8)',
    async (method) => {
      const reply = await fetch(`${gateway.url}/graphql`, { method, headers: french });
      expect([reply.status, reply.headers.get('allow')]).toEqual([405, 'GET, POST']);
      const { errors } = (await reply.json()) as GraphQLBody;
      expect(errors).toEqual([
        {
          message: message.fr,
          extensions: {
            code: 'BAD_USER_INPUT',
            error: 'method-not-allowed',
            status: 405,
            requestId: reply.headers.get('x-request-id'),
          },
        },
      ]);
    },
  );

  it('HEAD of /graphql is 405 without a body (Contract 7.1.3)', async () => {
    const reply = await fetch(`${gateway.url}/graphql`, { method: 'HEAD' });
    expect([reply.status, reply.headers.get('allow'), await reply.text()]).toEqual([405, 'GET, POST', '']);
  });

  it('a path that is not there stays 404, whatever the method (Contract 7.1.1)', async () => {
    for (const method of ['GET', 'PUT', 'OPTIONS'])
      expect((await fetch(`${gateway.url}/nowhere`, { method })).status).toBe(404);
  });
});
