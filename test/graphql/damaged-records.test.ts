import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLog } from '../../src/log/log.js';
import { ownGateway } from '../support/own-gateway.js';
import { graphql, rest } from '../support/requests.js';
import { postBody, sha256, writeTrusted } from '../support/trusted.js';
import { ownFolder } from '../support/own-folder.js';

const documentOf = (name: string) =>
  readFileSync(new URL(`../../schema/operations/${name}.graphql`, import.meta.url), 'utf8');

const resources = {
  jobs: {
    publicId: 'acme-backend-engineer',
    document: documentOf('job'),
    readPath: '/jobs/acme-backend-engineer',
    updatePath: '/jobs/acme-backend-engineer',
    update: { description_profile: 'Keen.' },
  },
  companies: {
    publicId: 'acme',
    document: documentOf('company'),
    readPath: '/companies?media-public-id=demo-media&company-public-id=acme',
    updatePath: '/companies',
    update: { domain_url: 'https://acme.example' },
  },
};

const secret = 'never to be told';
const question = { _id: null, name: 'q', ref: 'r', refType: 't', title: { en: secret }, isRequired: true };

/** Damage by another program: its name, the collection, and the stored values. */
const damages: [string, keyof typeof resources, object][] = [
  ['an object instead of a text', 'jobs', { name: { a: secret } }],
  ['an unknown state', 'jobs', { state: secret }],
  ['a text instead of a version', 'jobs', { version: secret }],
  ['a text instead of a date', 'jobs', { publishedAt: secret }],
  ['a text instead of a list', 'jobs', { questions: secret }],
  ['a list with an incomplete object', 'jobs', { questions: [question] }],
  ['an object instead of the name of a company', 'companies', { name: { a: secret } }],
  ['a list of texts instead of sectors', 'companies', { sectors: [secret] }],
];

const file = join(ownFolder(), 'documents.json');
await writeTrusted(
  file,
  Object.values(resources).map(({ document }) => document),
);

describe('a damaged record causes an internal error, masked and logged once (Contract 7.2.1)', () => {
  const lines: string[] = [];
  const log = createLog(
    { logLevel: 'error', environment: 'test' },
    { write: (line) => void lines.push(line) },
  );
  const gateway = ownGateway({ TRUSTED_DOCUMENTS: file }, { log });
  let token: string;
  beforeAll(async () => void (token = await gateway.token()));
  beforeEach(async () => {
    await gateway.reset();
    lines.length = 0;
  });

  it.each(damages)('%s, in %s', async (_, name, damage) => {
    const { publicId, document, readPath, updatePath, update } = resources[name];
    const { collection } = gateway.models[name];
    const damaged = await collection.findOneAndUpdate(
      { publicId },
      { $set: damage },
      { returnDocument: 'after' },
    );
    expect(damaged).not.toBeNull();
    const variables = { mediaPublicId: 'demo-media', publicId };
    const trusted = () =>
      postBody(
        gateway.url,
        { documentId: sha256(document), variables },
        { authorization: `Bearer ${token}` },
      );
    const masked = { message: 'Something went wrong on our side.' };

    for (const send of [() => graphql(gateway, document, variables, { token }), trusted]) {
      const reply = await send();
      const requestId = reply.headers.get('x-request-id');
      const extensions = { code: 'INTERNAL_SERVER_ERROR', error: 'internal-error', status: 500, requestId };
      expect(reply.body.errors).toMatchObject([{ ...masked, extensions }]);
      expect(JSON.stringify(reply.body)).not.toContain(secret);
      expectLogged(requestId);
    }

    const json = { media_public_id: 'demo-media', company_public_id: 'acme', ...update };
    for (const send of [
      () => rest(gateway, 'GET', readPath, undefined, { token }),
      () => rest(gateway, 'PATCH', updatePath, { json }, { token }),
    ]) {
      const reply = await send();
      expect([reply.status, reply.body]).toEqual([
        500,
        { status: 500, error: 'internal-error', errorMessage: masked.message },
      ]);
      expectLogged(reply.headers.get('x-request-id'));
    }
    if ('version' in damage) expect(await collection.findOne({ publicId })).toEqual(damaged);
  });

  it.each([
    ['a text', 'x'],
    ['null', null],
    ['a fraction', 1.5],
    ['a number that GraphQL cannot show', 2 ** 31],
  ])(
    'a record whose version is %s is never written, not even to store an idempotency key (Contract 9.3.3)',
    async (_, version) => {
      const { publicId, updatePath, update } = resources.jobs;
      const { collection } = gateway.models.jobs;
      await collection.updateOne({ publicId }, { $set: { version } });
      const damaged = await collection.findOne({ publicId });
      const own = { media_public_id: 'demo-media', company_public_id: 'acme' };
      for (const json of [own, { ...own, ...update }]) {
        const headers = { 'idempotency-key': JSON.stringify(json).length.toString() };
        const reply = await rest(gateway, 'PATCH', updatePath, { json }, { token, headers });
        expect([reply.status, reply.body.error]).toEqual([500, 'internal-error']);
        const [logged] = lines.splice(0).map((line) => JSON.parse(line) as { err: { message: string } });
        expect(logged?.err.message).toBe(`the version of ${publicId} cannot be read`);
      }
      expect(await collection.findOne({ publicId })).toEqual(damaged);
    },
  );

  /** Expects one new log line, of this request, with the cause. */
  function expectLogged(requestId: string | null): void {
    const logged = lines.splice(0).map((line) => JSON.parse(line) as unknown);
    const err = { message: expect.stringMatching(/./), stack: expect.stringMatching(/./) };
    expect(logged).toMatchObject([{ level: 50, requestId, code: 'internal-error', err }]);
  }
});
