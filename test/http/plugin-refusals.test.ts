import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type FastifyInstance } from 'fastify';
import { catalogue, type ErrorCode } from '../../src/errors/catalogue.js';
import { type DomainError } from '../../src/errors/domain-error.js';
import { createLog } from '../../src/log/log.js';
import { ErrorResponder } from '../../src/http/error-responder.js';
import { createServer } from '../../src/http/server.js';
import { parseSettings } from '../../src/settings/settings.js';

let app: FastifyInstance;
const reported: DomainError[] = [];

beforeAll(async () => {
  const settings = parseSettings({ NODE_ENV: 'test', LOG_LEVEL: 'silent' });
  app = createServer(settings, {
    log: createLog(settings),
    errorResponder: new ErrorResponder(
      { spendOnce: async () => null },
      { consume: () => null },
      (errors) => void reported.push(...errors),
    ),
    replies: new Set(),
    measure: () => undefined,
    nameCaller: () => '0123456789ab',
  });
  app.get<{ Params: { status: string } }>('/refused/:status', async ({ params }) => {
    throw Object.assign(new Error('as the plugin words it'), { statusCode: Number(params.status) });
  });
  app.get('/gone', (_request, reply) => reply.callNotFound());
  await app.ready();
});
afterAll(() => app.close());

async function expectError(url: string, code: ErrorCode): Promise<void> {
  const reply = await app.inject({ url, headers: { 'accept-language': 'fr' } });
  expect(reply.statusCode).toBe(catalogue[code].status);
  expect(reply.json()).toEqual({
    status: catalogue[code].status,
    error: code,
    errorMessage: expect.stringContaining(catalogue[code].message.fr.replace(/\.$/, '')),
  });
  expect(reported.at(-1)?.code).toBe(code);
}

describe('error of Fastify or a plugin', () => {
  it.each<[number, ErrorCode]>([
    [400, 'body-format-error'],
    [412, 'version-conflict'],
    [413, 'payload-too-large'],
    [414, 'body-format-error'],
    [415, 'content-type-not-supported'],
    [416, 'body-format-error'],
    [431, 'body-format-error'],
    [500, 'internal-error'],
    [507, 'internal-error'],
    [302, 'internal-error'],
  ])('with status %d becomes %s (Contract 7.2.1, 7.2.2)', async (status, code) =>
    expectError(`/refused/${status}`, code),
  );

  it('with status 404 inside a matched route becomes not-found (Contract 7.2.2)', () =>
    expectError('/gone', 'not-found'));
});
