import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { URL } from 'node:url';
import { jwtVerify } from 'jose';
import { createConnection } from 'mongoose';
import { loadKeys } from '../../../dist/tokens/keys.js';
import { nodeId } from '../../../dist/fields/row.rules.js';
import { modelsOf } from '../../../dist/models.js';
import { countryName } from '../../../dist/job/location/country.js';
import { parseSettings } from '../../../dist/settings/settings.js';
import { quotaOf } from '../quota.mjs';

// The work of every peer: the gateway's, without its limits and most of its rules.

const { MONGODB_URI, DATABASE } = process.env;
const connection = await createConnection(MONGODB_URI, { dbName: DATABASE, maxPoolSize: 50 }).asPromise();
const models = modelsOf(connection);
const {
  providers: [provider],
} = await loadKeys(parseSettings(process.env));
const spend = quotaOf(connection.getClient().db(DATABASE).collection('quotas'));

/** Verifies each token once: the gateway caches tokens too. */
const callers = new Map();
export async function callerOf(header = '') {
  const token = header.slice('Bearer '.length);
  if (!callers.has(token)) callers.set(token, (await jwtVerify(token, provider.resolve)).payload);
  return callers.get(token);
}

const references = new Map(
  (await models.references.find().lean()).map((record) => [String(record._id), record]),
);
const media = new Map((await models.media.find().lean()).map((record) => [record.publicId, record]));

/** The stored paths that a GraphQL field needs, if they differ from its name. */
const paths = {
  id: ['publicId'],
  mediaPublicId: ['media'],
  state: ['state', 'expiresAt'],
  expiresAt: ['state', 'expiresAt'],
  updatedAt: ['state', 'expiresAt', 'updatedAt'],
  isRedirectApply: ['applicationMethod'],
  jobUrl: ['publicId'],
  applyUrl: ['publicId'],
};
const projectionOf = (fields) =>
  Object.fromEntries(
    ['media', 'company', ...fields.flatMap((name) => paths[name] ?? name)].map((path) => [path, 1]),
  );
const companyProjectionOf = (fields) => ({
  publicId: 1,
  ...(fields.includes('company') && { name: 1 }),
  ...(fields.includes('office') && { offices: 1 }),
  ...(fields.includes('viewerCanUpdate') && { memberships: 1 }),
});
const fieldOf = (node, name) =>
  node.selectionSet.selections.find((selection) => selection.name.value === name);
const fieldsOfJobs = (node) =>
  fieldOf(fieldOf(node, 'edges'), 'node').selectionSet.selections.map(({ name }) => name.value);

const hasEnded = ({ state, expiresAt }) => state === 'published' && expiresAt <= new Date();
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

export async function page({ mediaPublicId, first = 20 }, caller, fields) {
  if (!caller.media.includes(mediaPublicId)) throw new Error('out of reach');
  await spend('peer');
  const jobs = await models.jobs
    .find({ media: mediaPublicId }, projectionOf(fields))
    .sort({ publicId: 1 })
    .limit(first + 1)
    .lean();
  const inMedia = await models.companies
    .find(
      {
        publicId: { $in: [...new Set(jobs.map(({ company }) => company))] },
        'memberships.media': mediaPublicId,
      },
      companyProjectionOf(fields),
    )
    .lean();
  const records = new Map(inMedia.map((company) => [company.publicId, company]));
  const reachedJobs = jobs.slice(0, first).filter(({ company }) => records.has(company));
  return {
    edges: reachedJobs.map((job) => ({ node: { ...job, companyRecord: records.get(job.company) } })),
    pageInfo: { hasNextPage: jobs.length > first },
  };
}

export async function updateJob({ mediaPublicId: media, companyPublicId, jobPublicId, salary }, caller) {
  if (!caller.media.includes(media)) throw new Error('out of reach');
  await spend('peer');
  const by = { publicId: jobPublicId, media, company: companyPublicId };
  const [job, company] = await Promise.all([
    models.jobs.findOne(by, { salary: 1, version: 1 }).lean(),
    models.companies
      .findOne(
        { publicId: companyPublicId },
        { memberships: 1, ...companyProjectionOf(['company', 'office']) },
      )
      .lean(),
  ]);
  if (!company?.memberships.some((each) => each.media === media && each.isPublished))
    throw new Error('not published');
  const entry = {
    version: job.version + 1,
    at: new Date(),
    actor: caller.sub,
    transport: 'graphql',
    requestId: randomUUID(),
    changes: [{ field: 'salary', before: job.salary, after: salary }],
  };
  const written = await models.jobs.collection.findOneAndUpdate(
    { _id: job._id, version: job.version },
    {
      $set: { salary, updatedAt: entry.at },
      $inc: { version: 1 },
      $currentDate: { changedAt: true },
      $push: { pendingHistory: { $each: [entry], $slice: -32 } },
    },
    { returnDocument: 'after', projection: { pendingHistory: 0 } },
  );
  return { ...written, companyRecord: company };
}

export const resolvers = {
  Query: {
    jobs: (_root, args, { caller }, info) => page(args, caller, fieldsOfJobs(info.fieldNodes[0])),
  },
  Mutation: {
    updateJob: async (_root, { input }, { caller }) => ({
      job: await updateJob(input, caller),
      warnings: [],
    }),
  },
  Job: {
    id: ({ publicId }) => nodeId('Job', publicId),
    mediaPublicId: ({ media: publicId }) => publicId,
    state: (job) => (hasEnded(job) ? 'archived' : job.state),
    expiresAt: (job) => (job.state === 'published' && !hasEnded(job) ? job.expiresAt : null),
    viewerCanUpdate: ({ media, companyRecord: { memberships } }) =>
      memberships.some((each) => each.media === media && each.isPublished),
    updatedAt: (job) => (hasEnded(job) ? job.expiresAt : job.updatedAt),
    company: ({ companyRecord: { publicId, name } }) => ({ publicId, name }),
    office: ({ companyRecord, office }) => {
      const found = companyRecord.offices.find(({ _id }) => office && _id.equals(office));
      return found ? { publicId: found.publicId, name: found.name.en } : null;
    },
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
  Question: { questionId: ({ _id }) => String(_id) },
};

export const sdl = readFileSync(new URL('../../../schema/schema.graphql', import.meta.url), 'utf8');

export function serve(url, close) {
  console.log(JSON.stringify({ url, msg: 'ready' }));
  process.once('SIGTERM', async () => {
    await close();
    await connection.close();
    process.exit(0);
  });
}
