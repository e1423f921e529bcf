import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { join } from 'node:path';
import { buildSchema } from '../../src/graphql/schema.js';
import { parseSettings } from '../../src/settings/settings.js';
import { costlyDocuments, permittedIn, type Root } from '../contract/fuzz/costly-documents.js';
import { endAll, startGatewayProcess } from '../support/process.js';
import { type GraphQLBody } from '../support/requests.js';
import { tokenFactory } from '../support/tokens.js';
import { sha256, writeTrusted } from '../support/trusted.js';
import { Client } from './support/client.js';
import { type Installation, mongodbUri, shareDatabase } from './support/installation.js';
import { type Random, randomFor } from './support/random.js';
import { insertSkewedJobs } from './support/skewed-jobs.js';

const seconds = Number(process.env.RELIABILITY_SECONDS ?? 60);
const connections = 8;
const leastReplies = 1_000 * Math.min(1, seconds / 60);

const list = (...more: string[]) => `jobs(mediaPublicId: "demo-media", first: 100, ${more.join(', ')})`;
const aliased = (count: number, field: string) =>
  `{ ${Array.from({ length: count }, (_, index) => `a${index}: ${field}`).join(' ')} }`;

/** Filters that match nothing or late, so that the database looks at as many entries as it may. */
const lateMatches = [
  ['filter: { name: "none" }'],
  ['filter: { name: "none" }', 'sort: updated_at_desc'],
  ['filter: { name: "none", companyPublicIds: ["acme"] }'],
  ['filter: { name: "astronome", states: [archived] }'],
  ['filter: { states: [published] }', 'sort: updated_at_desc'],
  ['filter: { updatedSince: "2999-01-01T00:00:00Z" }'],
];
const forDatabase: readonly string[] = [
  ...[1, 3].flatMap((count) =>
    lateMatches.map((filter) => aliased(count, `${list(...filter)} { edges { node { publicId } } }`)),
  ),
  ...lateMatches.map((filter) => aliased(2, `${list(...filter)} { totalCount }`)),
  ...[1, 5].map((count) => aliased(count, `${list('sort: public_id')} { totalCount }`)),
];

const schema = buildSchema();
const rootOf = (field: string, records: string, ...args: string[]): Root => ({
  kind: 'query',
  field,
  args,
  records,
});
const media = 'mediaPublicId: "demo-media"';
const roots = [
  rootOf('jobs', 'longest texts', media, 'first: $FIRST'),
  rootOf('jobs', 'most questions', media, 'first: $FIRST', 'sort: updated_at_desc'),
  rootOf('job', 'most questions', 'publicId: "questions-0"'),
];
/** One document of the generator in so many. Making all of them takes a minute. */
const step = 11;
const generated = [...costlyDocuments(schema, roots, permittedIn(schema), step)];
const forGateway = [
  // Each job by its id costs a unit, so many of them cost more than the whole quota.
  ...generated.filter(({ name }) => !/^\d+ × job /.test(name)).map(({ text }) => text),
  aliased(1, `${list('sort: public_id')} { edges { node { publicId jobPosting } } }`),
];

interface Read {
  status: number | null;
  hasErrors: boolean;
  ms: number;
}

/** Reads a job by its id every 40 ms, also while earlier reads still wait: a slow moment must not thin out its own samples. */
async function readJobs(url: string, token: string, isOver: () => boolean): Promise<Read[]> {
  const client = new Client(url, token);
  const read = async (): Promise<Read> => {
    const { status, body, ms } = await client.readJob('job-7777');
    return { status, ms, hasErrors: !body.includes('"job-7777"') || body.includes('"errors"') };
  };
  const reads: Promise<Read>[] = [];
  const startMs = performance.now();
  while (!isOver()) {
    reads.push(read());
    await sleep(Math.max(0, startMs + 40 * reads.length - performance.now()));
  }
  const finished = await Promise.all(reads);
  client.close();
  return finished;
}

const p95 = (reads: readonly Read[]): number =>
  reads.map(({ ms }) => ms).sort((one, other) => one - other)[Math.floor(0.95 * reads.length)] ?? NaN;

/** Always asks for something costly: after a refusal for something else, because cheaper operations still pass. */
async function spend(url: string, token: string, random: Random, isOver: () => boolean) {
  const spent = { replies: 0, refused: 0, slow: 0, units: 0, unexpected: [] as string[] };
  const each = async () => {
    const client = new Client(url, token);
    while (!isOver()) {
      const text = random.pick(random.pick([forDatabase, forGateway]));
      const { status, body, failure } = await client.send(
        'POST',
        '/graphql',
        JSON.stringify({ documentId: sha256(text) }),
        { 'content-type': 'application/json' },
      );
      spent.replies += 1;
      const { errors, extensions } = JSON.parse(body || '{}') as GraphQLBody;
      const codes = new Set(errors?.map(({ extensions: { error } }) => error));
      if (codes.has('rate-limit-exceeded')) spent.refused += 1;
      else {
        spent.units += extensions?.cost?.units ?? 0;
        // A list that takes the database too long (Contract 4.3.8).
        if (codes.delete('service-unavailable')) spent.slow += 1;
        codes.delete('payload-too-large');
        if (!body || codes.size > 0)
          spent.unexpected.push(`${failure ?? status} ${[...codes].join()} ${text.slice(0, 100)}`);
      }
      await sleep(50);
    }
    client.close();
  };
  await Promise.all(Array.from({ length: connections }, each));
  return spent;
}

describe('a caller that spends its whole read quota on the costliest operations', () => {
  let installation: Installation;
  let environment: Record<string, string>;
  let tokenOf: Awaited<ReturnType<typeof tokenFactory>>;
  beforeAll(async () => {
    installation = await shareDatabase();
    const trusted = join(installation.environment.DATA_DIR ?? '', 'documents.json');
    await writeTrusted(trusted, [...forDatabase, ...forGateway]);
    environment = {
      ...installation.environment,
      READ_QUOTA: '50/1s',
      TRUSTED_DOCUMENTS: trusted,
      ARCHIVER: 'off',
    };
    tokenOf = await tokenFactory(parseSettings(environment));
    await insertSkewedJobs(installation.models);
  });
  afterEach(endAll);
  afterAll(async () => installation.remove());

  async function measure(title: string, count: 1 | 2) {
    const gateways = await Promise.all(
      Array.from({ length: count }, async () => startGatewayProcess(environment)),
    );
    const [own, other] = [gateways.at(0)?.url ?? '', gateways.at(-1)?.url ?? ''];
    const [spender, reader] = [await tokenOf({ sub: 'spender' }), await tokenOf({ sub: 'reader' })];
    const during = (lengthMs: number) => {
      const endMs = performance.now() + lengthMs;
      return () => performance.now() > endMs;
    };
    // The first operations compile code.
    await Promise.all([
      spend(own, spender, randomFor('warm'), during(5_000)),
      readJobs(other, reader, during(5_000)),
    ]);
    const quiet = await readJobs(other, reader, during((seconds * 1_000) / 3));
    const isOver = during(seconds * 1_000);
    const [spent, beside] = await Promise.all([
      spend(own, spender, randomFor(title), isOver),
      readJobs(other, reader, isOver),
    ]);
    const { replies, refused, slow, units, unexpected } = spent;
    process.stdout.write(
      `neighbours, ${title}: p95 of ${quiet.length} quiet reads ${p95(quiet).toFixed(1)} ms, of ${beside.length} beside ` +
        `${p95(beside).toFixed(1)} ms; ${replies} replies, ${refused} of them refusals and ${slow} too slow, ${(units / seconds).toFixed(1)} units a second\n`,
    );
    expect([...quiet, ...beside].filter(({ status, hasErrors }) => status !== 200 || hasErrors)).toEqual([]);
    expect(unexpected).toEqual([]);
    expect(replies).toBeGreaterThanOrEqual(leastReplies);
    return { quiet: p95(quiet), beside: p95(beside) };
  }

  const onServer = mongodbUri ? it : it.skip;
  onServer(
    `at another gateway, a job by its id takes at most 3 times as long as without that caller, at p95 over ${seconds} s`,
    async () => {
      const { quiet, beside } = await measure('two gateways', 2);
      expect(beside).toBeLessThanOrEqual(3 * quiet);
    },
  );

  it(`at the same gateway, a job by its id takes at most 150 ms longer, at p95 over ${seconds} s`, async () => {
    const { quiet, beside } = await measure('one gateway', 1);
    expect(beside).toBeLessThanOrEqual(quiet + 150);
  });
});
