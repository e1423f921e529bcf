import { beforeAll, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { plain } from '../company/logo/test-images.js';
import { refusalOf } from '../support/client-replies.js';
import { ownFolder } from '../support/own-folder.js';
import { root } from '../support/process.js';
import { type Call, describeRefusals, ownCall } from '../support/refusals.js';
import { frontEndFolder } from './front-end-folder.js';

interface Clients {
  clients: Record<string, (call: Call) => Promise<unknown>>;
  inBatch: (call: Call) => Promise<unknown>;
  persisted: (call: Call, sha256: (text: string) => string) => Promise<{ data: unknown }>;
  sendLogo: (call: Call, logo: Blob) => Promise<{ data: unknown }>;
}

const folder = ownFolder();
const own = ownCall();
const { gateway, call } = own;
let sent: Clients;
beforeAll(async () => {
  const { path, load } = await frontEndFolder(folder);
  await cp(join(root, 'test/generators/clients/graphql-clients.ts'), join(path, 'graphql-clients.ts'));
  sent = (await load('graphql-clients.ts')) as Clients;
});

const names = ['Apollo Client 3', 'urql', 'graphql-request'];
describeRefusals(
  Object.fromEntries(names.map((name) => [name, (given: Call) => refusalOf(sent.clients[name]!(given))])),
  own,
);

it('Apollo Client 3 is refused a batch of requests, and nothing runs (Contract 4.1.1)', async () => {
  const refusal = await refusalOf(sent.inBatch(call()));
  expect(refusal).toMatchObject({ error: 'body-format-error', status: 400 });
  expect(await gateway.models.jobs.countDocuments({ version: { $gt: 1 } })).toBe(0);
});

it('Apollo Client 3 sends the text of a persisted query where the gateway has no trusted documents (Contract 4.7.3)', async () => {
  const { data } = await sent.persisted(call(), (text) => createHash('sha256').update(text).digest('hex'));
  expect(data).toMatchObject({ viewer: { roles: ['media_admin'] } });
});

it('urql sends a logo with the preflight header (Contract 5.3.5)', async () => {
  const logo = new Blob([new Uint8Array(await plain(8, 8).png().toBuffer())]);
  const { data } = await sent.sendLogo(call(), logo);
  expect(data).toMatchObject({
    updateCompany: {
      company: { content: { visual: { logo: expect.stringMatching(/\/logos\/[0-9a-f]{64}$/) } } },
    },
  });
});
