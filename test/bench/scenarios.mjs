import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { URL, URLSearchParams } from 'node:url';
import { buildSchema, getNamedType, isObjectType } from 'graphql';
import sharp from 'sharp';
import { companyCount, companyId, jobId } from './data.mjs';

const operation = (name) =>
  readFileSync(new URL(`../../schema/operations/${name}.graphql`, import.meta.url), 'utf8');
// The graphql-jit of Mercurius rejects a call that leaves out a variable with a default.
const updateJobDocument = operation('update-job').replace(/\$dryRun: .*|dryRun: \$dryRun/g, '');
const jobsDocument = operation('jobs');
const changesDocument = operation('changes');
const schema = buildSchema(readFileSync(new URL('../../schema/schema.graphql', import.meta.url), 'utf8'));
/** Leaves out histories, employers and the lists of other records, and the job posting, which the peers can't build. */
const everyField = (type) =>
  Object.values(type.getFields())
    .filter(({ name }) => !['history', 'employer', 'jobPosting', 'media', 'jobs'].includes(name))
    .map(({ name, type: ofField }) => {
      const below = getNamedType(ofField);
      return isObjectType(below) ? `${name} { ${everyField(below)} }` : name;
    })
    .join(' ');
const everyJobField = everyField(schema.getType('Job'));
const pageOf = (fields, first) =>
  `query ($media: String!) { jobs(mediaPublicId: $media, first: ${first}) { edges { node { ${fields} } } } }`;
const threeFields = pageOf('publicId name state', 50);
const everyField50 = pageOf(everyJobField, 50);
const jobDocument = `query ($publicId: String!) { job(publicId: $publicId) { ${everyJobField} } }`;

const hashOf = (document) => createHash('sha256').update(document).digest('hex');
export const trustedDocuments = Object.fromEntries(
  [updateJobDocument, threeFields, everyField50].map((document) => [hashOf(document), document]),
);
const trusted = (document) => ({ documentId: hashOf(document) });

/** Makes every request different, so that each changes its record. */
let count = 0;
/** A prime, so that successive updates hit jobs far apart. */
const stride = 7_919;

export const json = (body) => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});
const form = (body) => ({
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams(body).toString(),
});
const bearer = (token) => ({ authorization: `Bearer ${token}` });

function nextUpdate(jobCount) {
  count += 1;
  const index = (count * stride) % jobCount;
  return { index, salary: `${count} € a year` };
}

export function restUpdate({ jobCount, token }, encode, given = {}) {
  const { index, salary } = nextUpdate(jobCount);
  const { headers, body } = encode({
    media_public_id: 'demo-media',
    company_public_id: companyId(index),
    salary,
    ...given,
  });
  return {
    method: 'PATCH',
    path: `/jobs/${jobId(index)}`,
    headers: { ...headers, ...(token && bearer(token)) },
    body,
  };
}

function graphql({ token }, document, variables) {
  const { headers, body } = json({ ...document, variables });
  return { method: 'POST', path: '/graphql', headers: { ...headers, ...(token && bearer(token)) }, body };
}

function graphqlUpdate(target, document = { query: updateJobDocument }) {
  const { index, salary } = nextUpdate(target.jobCount);
  const input = {
    mediaPublicId: 'demo-media',
    companyPublicId: companyId(index),
    jobPublicId: jobId(index),
    salary,
  };
  return graphql(target, document, { input });
}

/** A cursor of `changes`, after all changes at this instant. */
function changesAfter(atMs) {
  const position = ['demo-media', 0, Math.floor(Date.now() / 86_400_000), atMs, 'job', '\u{10ffff}'];
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

const withHeaders = (request, headers) => ({ ...request, headers: { ...request.headers, ...headers } });

const nextCompany = () => companyId((count += 1) % companyCount);

/** The floor's request in every scenario. */
export const floor = (target) => restUpdate({ ...target, token: null }, json);

/** A logo of about 1 MiB: noise does not compress. */
const side = 600;
const noise = Buffer.from(Uint8Array.from({ length: side * side * 3 }, () => Math.random() * 256));
const logo = await sharp(noise, { raw: { width: side, height: side, channels: 3 } })
  .png()
  .toBuffer();

function logoUpload({ token }) {
  const boundary = 'bench-boundary';
  const field = (name, value) =>
    `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const head =
    field('media_public_id', 'demo-media') +
    field('company_public_id', nextCompany()) +
    `--${boundary}\r\ncontent-disposition: form-data; name="logo"; filename="logo.png"\r\ncontent-type: image/png\r\n\r\n`;
  return {
    method: 'PATCH',
    path: '/companies',
    headers: { ...bearer(token), 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: Buffer.concat([Buffer.from(head), logo, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  };
}

/** `share` is the fraction of the usual number of requests. `quota` replaces the updateJob quota, and is spent at once. */
export const scenarios = {
  'updateJob GraphQL': {
    status: 200,
    peers: ['mercurius', 'yoga', 'fastify'],
    varying: ['version', 'updatedAt'],
    next: (target) => graphqlUpdate(target),
  },
  'updateJob trusted': { status: 200, next: (target) => graphqlUpdate(target, trusted(updateJobDocument)) },
  'updateJob REST JSON': {
    status: 200,
    peers: ['fastify'],
    next: (target) => restUpdate(target, json),
  },
  'updateJob REST form': { status: 200, next: (target) => restUpdate(target, form) },
  'updateCompany REST JSON': {
    status: 201,
    next: ({ token }) => ({
      method: 'PATCH',
      path: '/companies',
      ...withHeaders(
        json({
          media_public_id: 'demo-media',
          company_public_id: nextCompany(),
          description: `<p>${count}</p>`,
        }),
        bearer(token),
      ),
    }),
  },
  '401 no token': { status: 401, next: (target) => restUpdate({ ...target, token: null }, json) },
  '401 bad token': {
    status: 401,
    next: (target) => restUpdate({ ...target, token: target.badToken }, json),
  },
  '400 unknown hash': {
    status: 400,
    next: (target) => graphqlUpdate(target, { documentId: '0'.repeat(64) }),
  },
  '401 GraphQL': { status: 401, next: (target) => graphqlUpdate({ ...target, token: null }) },
  '409 not published': {
    status: 409,
    next: (target) => ({
      ...restUpdate(target, json, { company_public_id: 'globex' }),
      path: '/jobs/globex-accountant',
    }),
  },
  '412 version': {
    status: 412,
    next: (target) => withHeaders(restUpdate(target, json), { 'if-match': '"999999"' }),
  },
  '422 two faults': {
    status: 422,
    next: (target) => restUpdate(target, json, { salary: 'x'.repeat(31), contract_id: 'no-such' }),
  },
  '429 REST': { status: 429, quota: '1/1h', next: (target) => restUpdate(target, json) },
  '429 GraphQL': { status: 429, quota: '1/1h', next: (target) => graphqlUpdate(target) },
  'jobs, a page of 50': {
    status: 200,
    share: 0.15,
    next: (target) => graphql(target, { query: jobsDocument }, { mediaPublicId: 'demo-media', first: 50 }),
  },
  'page of 50, three fields': {
    status: 200,
    share: 0.5,
    peers: ['mercurius', 'yoga', 'fastify'],
    next: (target) => graphql(target, { query: threeFields }, { media: 'demo-media' }),
  },
  'page of 100, three fields': {
    status: 200,
    share: 0.3,
    next: (target) => graphql(target, { query: pageOf('publicId name state', 100) }, { media: 'demo-media' }),
  },
  'changes, a page of 100': {
    status: 200,
    share: 0.3,
    next: (target) => graphql(target, { query: changesDocument }, { mediaPublicId: 'demo-media' }),
  },
  'changes, a next page of 100': {
    status: 200,
    share: 0.3,
    next: (target) =>
      graphql(target, { query: changesDocument }, { mediaPublicId: 'demo-media', after: changesAfter(0) }),
  },
  'changes, an empty page': {
    status: 200,
    share: 0.3,
    // The list ends 5 s before now.
    next: (target) =>
      graphql(
        target,
        { query: changesDocument },
        { mediaPublicId: 'demo-media', after: changesAfter(Date.now() - 5_000) },
      ),
  },
  'page of 50, every field': {
    status: 200,
    share: 0.1,
    peers: ['mercurius', 'yoga', 'fastify'],
    next: (target) => graphql(target, { query: everyField50 }, { media: 'demo-media' }),
  },
  'page of 50, three fields, trusted': {
    status: 200,
    share: 0.5,
    next: (target) => graphql(target, trusted(threeFields), { media: 'demo-media' }),
  },
  'page of 50, every field, trusted': {
    status: 200,
    share: 0.1,
    next: (target) => graphql(target, trusted(everyField50), { media: 'demo-media' }),
  },
  'job, every field': {
    status: 200,
    next: (target) =>
      graphql(target, { query: jobDocument }, { publicId: jobId((count += 1) % target.jobCount) }),
  },
  'logo of 1 MiB': { status: 201, share: 0.03, next: logoUpload },
};
