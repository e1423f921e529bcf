import { expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { jobStates } from '../../src/job/job-choices.rules.js';
import { largestPage } from '../../src/paging/page.js';
import { Dice } from '../contract/fuzz/malformed.js';
import { ownFolder } from '../support/own-folder.js';
import { ownGateway } from '../support/own-gateway.js';
import { rest } from '../support/requests.js';
import { postBody, sha256, writeTrusted } from '../support/trusted.js';

const folder = new URL('../../schema/operations/', import.meta.url);
const documents = Object.fromEntries(
  readdirSync(folder).map((file) => [
    file.replace('.graphql', ''),
    readFileSync(new URL(file, folder), 'utf8'),
  ]),
);
const file = join(ownFolder(), 'documents.json');
await writeTrusted(file, Object.values(documents));
const lifted = '1000000/1h';
const gateway = ownGateway({
  TRUSTED_DOCUMENTS: file,
  UPDATE_JOB_QUOTA: lifted,
  MUTATION_QUOTA: lifted,
  READ_QUOTA: lifted,
});

interface Asked {
  operation: string;
  variables: Record<string, unknown>;
  method?: string;
  path: string;
  json?: object;
  headers?: Record<string, string>;
}

const count = 50;
const seed = Number(process.env.FUZZ_SEED ?? 0);
const publicId = 'acme-backend-engineer';
const media = { mediaPublicId: 'demo-media' };
const filters: Record<string, unknown[]> = {
  states: jobStates.map((state) => [state]),
  companyPublicIds: [['acme'], ['acme', 'globex']],
  publicIds: [[publicId], [publicId, 'none']],
  name: ['engineer'],
  updatedSince: ['2026-01-01T00:00:00Z'],
  contractIds: [['permanent']],
  place: ['FRA'],
};

/** As GraphQL has it, and as a query string has it. */
function drawnList(dice: Dice): [filter: Record<string, unknown>, query: string] {
  const names = Object.keys(filters).filter(() => dice.roll(4) === 0);
  const filter = Object.fromEntries(names.map((name) => [name, dice.pick(filters[name] as unknown[])]));
  const query = new URLSearchParams({ 'media-public-id': media.mediaPublicId });
  for (const [name, value] of Object.entries(filter)) {
    const one = name
      .replace(/(Id|state)s$/, '$1')
      .replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    for (const each of [value].flat()) query.append(one, String(each));
  }
  return [filter, query.toString()];
}

const draws: ((dice: Dice) => Asked)[] = [
  () => ({ operation: 'job', variables: { publicId }, path: `/jobs/${publicId}` }),
  () => ({
    operation: 'job-posting',
    variables: { publicId },
    path: `/jobs/${publicId}`,
    headers: { accept: 'application/ld+json' },
  }),
  () => ({
    operation: 'company',
    variables: { ...media, publicId: 'acme' },
    path: '/companies?media-public-id=demo-media&company-public-id=acme',
  }),
  (dice) => {
    const kind = dice.pick(['contract', 'sector', 'size']);
    return { operation: 'references', variables: { kind }, path: `/references/${kind}` };
  },
  (dice) => {
    const [filter, query] = drawnList(dice);
    return { operation: 'job-counts', variables: { ...media, filter }, path: `/job-counts?${query}` };
  },
  ...Array.from({ length: 3 }, () => (dice: Dice) => {
    const [filter, query] = drawnList(dice);
    const first = 1 + dice.roll(largestPage);
    return {
      operation: 'jobs',
      variables: { ...media, filter, first },
      path: `/jobs?${query}&first=${first}`,
    };
  }),
  (dice) => {
    const first = 1 + dice.roll(largestPage);
    return {
      operation: 'changes',
      variables: { ...media, first },
      path: `/changes?media-public-id=demo-media&first=${first}`,
    };
  },
  (dice) => {
    const dryRun = dice.roll(2) === 0;
    const salary = `${dice.roll(1_000)} €`;
    return {
      operation: 'update-job',
      variables: { input: { jobPublicId: publicId, salary }, dryRun },
      method: 'PATCH',
      path: `/jobs/${publicId}`,
      json: { salary },
      ...(dryRun && { headers: { prefer: 'validate-only' } }),
    };
  },
];

it(`${count} operations drawn by seed ${seed} have one price as text, by hash and over REST (Contract 8.2.1)`, async () => {
  const dice = new Dice(seed);
  const token = await gateway.token();
  const authorization = { authorization: `Bearer ${token}` };
  const prices = new Set<string>();
  for (let drawn = 0; drawn < count; drawn += 1) {
    const { operation, variables, method = 'GET', path, json, headers = {} } = dice.pick(draws)(dice);
    const text = documents[operation] ?? '';
    // The blank makes the text untrusted.
    const byText = await postBody(gateway.url, { query: `${text} `, variables }, authorization);
    const byHash = await postBody(gateway.url, { documentId: sha256(text), variables }, authorization);
    const overRest = await rest(gateway, method, path, json && { json }, { token, headers });
    const { cost } = byText.body.extensions ?? {};
    expect([path, byText.body.errors]).toEqual([path, undefined]);
    expect([path, byHash.body.extensions?.cost]).toEqual([path, cost]);
    expect([path, overRest.headers.get('ratelimit-cost')]).toEqual([path, String(cost?.units)]);
    prices.add(`${operation} ${cost?.units}`);
  }
  expect(prices.size).toBeGreaterThan(count / 4);
});
