import 'reflect-metadata';
import { readFileSync } from 'node:fs';
import { URL } from 'node:url';
import { fastify } from 'fastify';
import { jwtVerify } from 'jose';
import mercurius from 'mercurius';
import { createConnection } from 'mongoose';
import { loadKeys } from '../../../dist/access/keys.js';
import { modelsOf } from '../../../dist/models.js';
import { countryName } from '../../../dist/job/location/country.js';
import { parseSettings } from '../../../dist/settings.js';
import { quotaOf } from '../quota.mjs';

// Reads of jobs as Mercurius' manual has them: resolvers, loaders against N + 1, the JIT, lean Mongoose documents, a
// projection by the names of the selection. Token, reach and quota as the gateway's; no bounds, no other rules.

const { MONGODB_URI, DATABASE } = process.env;
const connection = await createConnection(MONGODB_URI, { dbName: DATABASE, maxPoolSize: 50 }).asPromise();
const models = modelsOf(connection);
const keys = await loadKeys(parseSettings(process.env));
const spend = quotaOf(connection.getClient().db(DATABASE).collection('quotas'));
const lifetimeMs = 90 * 86_400_000;

/** A token is checked once, as the gateway remembers it. */
const callers = new Map();
async function callerOf(header = '') {
  const token = header.slice('Bearer '.length);
  if (!callers.has(token)) callers.set(token, (await jwtVerify(token, keys.resolve)).payload);
  return callers.get(token);
}

const references = new Map(
  (await models.references.find().lean()).map((record) => [String(record._id), record]),
);
const media = new Map((await models.media.find().lean()).map((record) => [record.publicId, record]));

/** Stored paths whose names are not those of their fields. */
const paths = {
  state: ['state', 'publishedAt'],
  expiresAt: ['state', 'publishedAt'],
  isRedirectApply: ['applicationMethod'],
  jobUrl: ['publicId'],
  applyUrl: ['publicId'],
};
const projectionOf = ({ selectionSet }) =>
  Object.fromEntries(
    [
      'media',
      'company',
      ...selectionSet.selections.flatMap(({ name }) => paths[name.value] ?? name.value),
    ].map((path) => [path, 1]),
  );
const fieldOf = (node, name) =>
  node.selectionSet.selections.find((selection) => selection.name.value === name);

const endOf = ({ state, publishedAt }) =>
  state === 'published' && publishedAt ? new Date(publishedAt.getTime() + lifetimeMs) : null;
const named = (record) =>
  record && {
    id: String(record._id),
    publicId: record.publicId,
    name: record.name.en,
    names: record.name,
    parentPublicId: record.parent ?? null,
  };
const reference = (field) => (job) => job[field] && named(references.get(String(job[field])));
const urlOf = (job) =>
  media
    .get(job.media)
    .jobUrlTemplate.replaceAll('{company}', encodeURIComponent(job.company))
    .replaceAll('{job}', encodeURIComponent(job.publicId));

const resolvers = {
  Query: {
    jobs: async (_root, { mediaPublicId, first = 20 }, { caller }, info) => {
      if (!caller.media.includes(mediaPublicId)) throw new Error('out of reach');
      await spend('peer');
      const node = fieldOf(fieldOf(info.fieldNodes[0], 'edges'), 'node');
      const jobs = await models.jobs
        .find({ media: mediaPublicId }, projectionOf(node))
        .sort({ publicId: 1 })
        .limit(first + 1)
        .lean();
      const companies = [...new Set(jobs.map(({ company }) => company))];
      const inMedia = await models.companies
        .find({ publicId: { $in: companies }, 'memberships.media': mediaPublicId }, { publicId: 1 })
        .lean();
      const reached = new Set(inMedia.map(({ publicId }) => publicId));
      const page = jobs.slice(0, first).filter(({ company }) => reached.has(company));
      return {
        edges: page.map((job) => ({ node: job })),
        pageInfo: { hasNextPage: jobs.length > first },
      };
    },
  },
  Job: {
    state: (job) => (endOf(job) && endOf(job) <= new Date() ? 'archived' : job.state),
    expiresAt: (job) => endOf(job),
    contract: reference('contract'),
    jobCategory: reference('jobCategory'),
    worktime: reference('worktime'),
    remote: reference('remote'),
    education: reference('education'),
    experience: reference('experience'),
    jobUrl: urlOf,
    applyUrl: (job) => `${urlOf(job)}#apply`,
    isRedirectApply: ({ applicationMethod }) => applicationMethod === 'external_apply',
  },
  JobLocation: {
    administrativeAreaDepartment: ({ department }) => department,
    administrativeAreaRegion: ({ region }) => region,
    country: ({ countryCode }) => countryName(countryCode, 'en'),
  },
  Question: { id: ({ _id }) => String(_id) },
};

/** The companies of a page's jobs, in one query for each field that shows of them. */
const byPublicId = async (queries, projection) => {
  const publicIds = [...new Set(queries.map(({ obj }) => obj.company))];
  const found = await models.companies
    .find({ publicId: { $in: publicIds } }, { publicId: 1, ...projection })
    .lean();
  const companies = new Map(found.map((company) => [company.publicId, company]));
  return queries.map(({ obj }) => [obj, companies.get(obj.company)]);
};
const loaders = {
  Job: {
    company: async (queries) => (await byPublicId(queries, { name: 1 })).map(([, company]) => company),
    office: async (queries) =>
      (await byPublicId(queries, { offices: 1 })).map(([{ office }, { offices }]) =>
        named(offices.find(({ _id }) => office && _id.equals(office))),
      ),
  },
};

const app = fastify({ logger: false });
await app.register(mercurius, {
  schema: readFileSync(new URL('../../../schema/schema.graphql', import.meta.url), 'utf8'),
  resolvers,
  loaders,
  jit: 1,
  context: async ({ headers }) => ({ caller: await callerOf(headers.authorization) }),
});
const url = await app.listen({ host: '127.0.0.1', port: 0 });
console.log(JSON.stringify({ url, msg: 'ready' }));

process.once('SIGTERM', async () => {
  await app.close();
  await connection.close();
  process.exit(0);
});
