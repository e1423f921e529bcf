import { beforeEach, describe, expect, it } from '@jest/globals';
import { importInto } from '../support/commands.js';
import { ownGateway } from '../support/own-gateway.js';
import { graphql } from '../support/requests.js';
import { SentCommands } from '../support/sent-commands.js';

const sent = new SentCommands();
const gateway = ownGateway({ ARCHIVER: 'off' }, { tracing: sent.tracing });
beforeEach(() => gateway.reset());

const ids = { jobs: 'acme-night-guard', companies: 'acme' };
type List = keyof typeof ids;

async function found(list: List, name: string): Promise<string[]> {
  const query = `query ($name: String) { list: ${list}(mediaPublicId: "demo-media", filter: { name: $name }) {
    totalCount edges { node { publicId } } } }`;
  const { body } = await graphql(gateway, query, { name }, { token: await gateway.token() });
  expect(body.errors).toBeUndefined();
  const { edges, totalCount } = body.data?.list as {
    edges: { node: { publicId: string } }[];
    totalCount: number;
  };
  expect(totalCount).toBe(edges.length);
  return edges.map(({ node }) => node.publicId);
}

const importAs = async (list: List, name: string): Promise<void> => {
  const kind = list === 'jobs' ? 'job' : 'company';
  await importInto(gateway, { kind, public_id: ids[list], name });
};

describe.each(['jobs', 'companies'] as const)('a search in the names of %s', (list) => {
  it.each([
    ['securite', 'SÉCURITÉ'],
    ['agent nuit', 'Agent de nuit'],
    ['NUIT agent', 'Agent de nuit'],
    // Half composed: one é in each form.
    ['e\u0301te\u0301', '\u00e9te\u0301'],
    ['\u00e9t\u00e9', '\u00e9te\u0301'],
    ["l'été", 'Job de l’été'],
    ['l’été', "Job de l'été"],
    ['chargé de clientèle', 'Chargé\u00a0de\u202fclientèle'],
    ['chargé\u00a0clientèle', 'Chargé de clientèle'],
    ['.*+?^${}()|[]\\', 'a .*+?^${}()|[]\\ b'],
    [`${'각'.repeat(150)}`, '각'.repeat(150)],
    ["'".repeat(150), '’'.repeat(150)],
  ])('for %j finds %j after an import (Contract 4.3.4)', async (text, name) => {
    const { collection } = gateway.models[list];
    await collection.updateOne({ publicId: ids[list] }, { $set: { name: 'Other', nameKey: 'other' } });
    expect(await found(list, text)).toEqual([]);
    await importAs(list, name);
    expect(await found(list, text)).toEqual([ids[list]]);
  });

  it.each(['nuit jour', 'a.ent', 'lxete', '\\w', 'zzz'.repeat(1_000), '\0z', "'z"])(
    'for %j finds no "L’été, agent de nuit" (Contract 4.3.4)',
    async (text) => {
      await importAs(list, 'L’été, agent de nuit');
      expect(await found(list, text)).toEqual([]);
    },
  );

  it('reads a text of many words (Contract 4.3.4)', async () => {
    await importAs(list, 'abcdefghijklmnopqrstuvwxyz');
    expect(await found(list, [...'abcdefghijklmnopqrstuvwxyz'.repeat(10)].join(' '))).toEqual([ids[list]]);
    expect(await found(list, [...'abcdefghijklmnopqrstuvwxyz0'].join(' '))).toEqual([]);
  });
});

it('a search in job names compares only keys', async () => {
  sent.forget();
  await found('jobs', 'nuit');
  const text = JSON.stringify(sent.to('jobs').map(({ filter, pipeline }) => ({ filter, pipeline })));
  expect(text).toContain('nameKey');
  expect(text).not.toMatch(/"name"/);
});
