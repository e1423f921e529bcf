import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import mongoose from 'mongoose';
import { join } from 'node:path';
import { runTokenCommand } from '../../src/cli/token.js';
import { demoData } from '../../src/demo/demo-data.js';
import { seedDemoData } from '../../src/demo/seed.js';
import { buildSchema } from '../../src/graphql/schema.js';
import { modelsOf, prepareDatabase } from '../../src/models.js';
import { openTestDatabase, type TestDatabase } from '../support/database.js';
import { type Running, startGatewayProcess } from '../support/process.js';
import { jobLifetimeMs } from '../support/reset-records.js';
import { sha256, writeTrusted } from '../support/trusted.js';
import { costlyDocuments, permittedIn, type Root } from './fuzz/costly-documents.js';
import { peakMiB, processorMs } from './fuzz/process-cost.js';
import { ownFolder } from '../support/own-folder.js';

/** `npm test` runs one document in a hundred over a tenth of the records, `npm run fuzz` every document. */
const isWhole = Number(process.env.FUZZ_REQUESTS ?? 0) >= 20_000;
const step = isWhole ? 1 : 100;

const recordCount = isWhole ? 100 : 10;
const sectorCount = 3_000;
const entryCount = 98;
/** A token without media reaches its brand in every media. */
const brand = 'wide';
const texts = ['companyDesc', 'jobDesc', 'profileDesc', 'benefitDesc', 'processDesc'];

/** Each kind of records has a media of its own, because a filter would make its list cost more. */
const mediaOf = (records: string) => records.replaceAll(' ', '-');
const list = (field: string, records: string): Root => ({
  kind: 'query',
  field,
  args: [`mediaPublicId: "${mediaOf(records)}"`, 'first: $FIRST'],
  records,
});
const one = (field: string, records: string, args: readonly string[]): Root => ({
  kind: 'query',
  field,
  args,
  records,
});
const roots: readonly Root[] = [
  one('viewer', 'one', []),
  one('errors', 'all', []),
  one('references', `${sectorCount} sectors`, ['kind: sector']),
  list('changes', 'short'),
  ...['longest texts', 'most questions', 'short'].map((records) => list('jobs', records)),
  ...['longest texts', 'most media'].map((records) => list('companies', records)),
  one('job', 'longest texts', ['publicId: "longest-texts-0"']),
  one('company', 'most media', ['mediaPublicId: "most-media"', 'publicId: "most-media-0"']),
  {
    kind: 'mutation',
    field: 'updateJob',
    args: ['input: { jobPublicId: "longest-texts-0" }'],
    records: 'longest texts',
  },
  {
    kind: 'mutation',
    field: 'updateCompany',
    args: ['input: { mediaPublicId: "most-media", companyPublicId: "most-media-0" }'],
    records: 'most media',
  },
];

/** Records as long as an import allows, or as many as a page has. */
async function fill({ connection }: TestDatabase): Promise<void> {
  const models = modelsOf(connection);
  await prepareDatabase(models);
  await seedDemoData(models, new Date(), jobLifetimeMs);
  const { jobs, companies, media } = demoData(new Date());
  await models.media.insertMany(
    ['longest texts', 'most questions', 'short', 'most media'].map((name) => ({
      ...media[0],
      _id: new mongoose.Types.ObjectId(),
      publicId: mediaOf(name),
    })),
  );
  const several = <Made>(count: number, make: (index: number) => Made) =>
    Array.from({ length: count }, (_, index) => make(index));
  const prose = 'Écrire à ann@mail.example, ou à l’adresse « rh@société.example ». ';
  const long = `<p>${prose.repeat(500).slice(0, 19_990)}</p>`;
  const question = {
    ...{ name: 'n', refType: 'string', isRequired: false },
    ...{ title: { en: 't', fr: 't' }, placeholder: { en: 'p', fr: 'p' } },
  };
  const membership = { isPublished: true, isVmePagePublished: true };
  const employs = ['longest texts', 'most questions', 'short'].map((name) => ({
    media: mediaOf(name),
    ...membership,
  }));
  await models.companies.updateOne(
    { publicId: jobs[0]!.company },
    { brand, $push: { memberships: { $each: employs } } },
  );
  const own = {
    'longest texts': { description: Object.fromEntries(texts.map((name) => [name, long])) },
    'most questions': {
      questions: several(100, (index) => ({
        _id: new mongoose.Types.ObjectId(),
        ref: `r${index}`,
        ...question,
      })),
    },
    short: { version: entryCount + 1 },
  };
  for (const [name, fields] of Object.entries(own)) {
    const records = several(recordCount, (index) => ({
      ...jobs[0],
      media: mediaOf(name),
      brand,
      ...fields,
      _id: new mongoose.Types.ObjectId(),
      publicId: `${mediaOf(name)}-${index}`,
      name,
      changedAt: new Date(),
    }));
    await models.jobs.insertMany(records);
    if (name !== 'short') continue;
    await models.history.insertMany(
      records.flatMap(({ _id: record }) =>
        several(entryCount, (index) => ({
          _id: `job:${String(record)}:${index + 2}`,
          record,
          version: index + 2,
          at: new Date(),
          actor: 'tester',
          transport: 'rest',
          requestId: 'x'.repeat(36),
          changes: several(20, () => ({ field: 'salary', before: 'a', after: 'b' })),
        })),
      ),
    );
  }
  const sectors = several(sectorCount, (index) => ({
    _id: new mongoose.Types.ObjectId(),
    kind: 'sector',
    publicId: `many-${index}`,
    name: { en: `Sector ${index}`, fr: `Secteur ${index}` },
    parent: null,
  }));
  await models.references.insertMany(sectors);
  const ownOfCompany = {
    'longest texts': {
      description: long.slice(0, 5_000),
      memberships: [{ media: 'longest-texts', ...membership }],
    },
    'most media': {
      sectors: sectors.slice(0, 10).map(({ _id }) => _id),
      memberships: several(1_000, (index) => ({
        media: index === 0 ? 'most-media' : `m${index}`,
        ...membership,
      })),
    },
  };
  for (const [name, fields] of Object.entries(ownOfCompany))
    await models.companies.insertMany(
      several(recordCount, (index) => ({
        ...companies[0],
        ...fields,
        _id: new mongoose.Types.ObjectId(),
        publicId: `${mediaOf(name)}-${index}`,
        name: `${name} ${index}`,
        nameKey: `${name} ${index}`,
        changedAt: new Date(),
        domainUrl: null,
        domainKey: undefined,
        brand,
      })),
    );
}

const folder = ownFolder();

describe('the costliest permitted documents', () => {
  const schema = buildSchema();
  const documents = [...costlyDocuments(schema, roots, permittedIn(schema, sectorCount), step)];
  let database: TestDatabase;
  let gateway: Running;
  let authorization: string;
  beforeAll(async () => {
    database = await openTestDatabase();
    await fill(database);
    const trusted = join(folder, 'documents.json');
    await writeTrusted(
      trusted,
      documents.map(({ text }) => text),
    );
    const lifted = '100000000/1s';
    gateway = await startGatewayProcess({
      DATA_DIR: folder,
      MONGODB_URI: database.uri,
      TRUSTED_DOCUMENTS: trusted,
      READ_QUOTA: lifted,
      MUTATION_QUOTA: lifted,
      UPDATE_JOB_QUOTA: lifted,
      // Tolerate the slow store of a busy machine.
      DATABASE_TIMEOUT: '9s',
    });
    const claims = ['--roles', 'brand_admin', '--brand', brand, '--scope', 'r_w_jobs r_w_companies'];
    const { stdout } = await runTokenCommand(claims, { DATA_DIR: folder });
    authorization = `Bearer ${stdout.trim()}`;
  });
  afterAll(async () => {
    await gateway.end('SIGTERM');
    await database.close();
  });

  async function costOf(text: string) {
    const before = { ms: await processorMs(gateway), mib: await peakMiB(gateway, { isReset: true }) };
    const response = await fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ documentId: sha256(text) }),
    });
    const reply = await response.text();
    const cost = {
      ms: (await processorMs(gateway)) - before.ms,
      mib: (await peakMiB(gateway)) - before.mib,
      replyMiB: Buffer.byteLength(reply) / 2 ** 20,
    };
    return { cost, status: response.status, errors: codesIn(reply) };
  }

  it(
    `are answered, and \`npm run fuzz\` prints the five costliest: ${documents.length} documents of every field, alias and list (Contract 8.4.4)`,
    async () => {
      const measured: { name: string; ms: number; mib: number; replyMiB: number }[] = [];
      const unexpected: string[] = [];
      for (const { name, text } of documents) {
        const { cost, status, errors } = await costOf(text).catch((cause: unknown) => {
          throw new Error(`no answer to ${name}`, { cause });
        });
        measured.push({ name, ...cost });
        if (status !== 200 || errors.some((code) => code !== 'payload-too-large'))
          unexpected.push(`${name}: ${status} ${errors.join(' ')}`);
      }
      expect(unexpected).toEqual([]);
      if (!isWhole) return;
      const textOf = new Map(documents.map(({ name, text }) => [name, text]));
      // The first try compiles code, and a busy machine slows some tries.
      const candidates = measured.sort((one, other) => other.ms - one.ms).slice(0, 25);
      for (const found of candidates)
        for (let tries = 0; tries < 10; tries += 1) {
          const { cost } = await costOf(textOf.get(found.name)!);
          found.ms = Math.min(found.ms, cost.ms);
          found.mib = Math.min(found.mib, cost.mib);
        }
      const costliest = candidates.sort((one, other) => other.ms - one.ms).slice(0, 5);
      const largest = measured.toSorted((one, other) => other.replyMiB - one.replyMiB).slice(0, 1);
      const hungriest = measured.toSorted((one, other) => other.mib - one.mib).slice(0, 1);
      const told = ({ name, ms, mib, replyMiB }: (typeof measured)[number]) =>
        `${ms.toFixed()} ms, ${mib.toFixed()} MiB of heap, ${replyMiB.toFixed(1)} MiB of reply: ${name}`;
      process.stdout.write(
        `the costliest of ${documents.length} permitted documents:\n${costliest.map(told).join('\n')}\n` +
          `the largest reply, and the most memory:\n${[...largest, ...hungriest].map(told).join('\n')}\n`,
      );
    },
    120_000 + documents.length * 3_000,
  );
});

const codesIn = (reply: string): string[] => {
  const { errors = [] } = JSON.parse(reply) as { errors?: { extensions: { error: string } }[] };
  return errors.map(({ extensions }) => extensions.error);
};
