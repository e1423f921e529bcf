import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSchema, getNamedType, isObjectType } from 'graphql';

const companyCount = 1_000;
const media = 'bench';
const companyId = (index) => `company-${index % companyCount}`;
const jobId = (index) => `job-${index}`;

const paragraph = (subject, index) =>
  `<p>${subject} number ${index} wants somebody who likes to <strong>build and run</strong> services with a team of nine.</p>` +
  '<ul><li>You design them with the people who use them.</li><li>You keep them fast &amp; safe.</li></ul>';

/** Records for `npm run import`, with texts of usual length. */
export function* records(jobCount) {
  const template = 'https://bench.example/{company}/{job}';
  yield { kind: 'media', public_id: media, name: 'Bench', job_url_template: template };
  yield { kind: 'reference', type: 'contract', public_id: 'permanent', name: { en: 'Permanent', fr: 'CDI' } };
  for (let index = 0; index < companyCount; index += 1)
    yield {
      kind: 'company',
      public_id: companyId(index),
      name: `Company ${index}`,
      domain_url: `company-${index}.example`,
      description: paragraph('Company', index),
      memberships: [{ media_public_id: media, is_published: true }],
    };
  for (let index = 0; index < jobCount; index += 1)
    yield {
      kind: 'job',
      public_id: jobId(index),
      media_public_id: media,
      company_public_id: companyId(index),
      name: `Job ${index}`,
      state: 'published',
      contract_id: 'permanent',
      salary: `${30 + (index % 50)} 000 €`,
      localisation: ['Lyon, Rhône', 'Paris', 'Nantes, France', 'Berlin, Germany'][index % 4],
      description_company: paragraph('Company', index % companyCount),
      description_job: paragraph('Job', index),
      description_profile: paragraph('Profile', index),
      application_method: 'external_apply',
      application_url: `https://apply.example/${index}`,
      recruiter_emails: [`recruiter-${index % 1_000}@bench.example`],
    };
}

export const claims = ['--roles=media_admin', '--scope=r_w_jobs r_w_companies', `--media=${media}`];

/** All fields of a type, without histories, employers and the lists of other records. */
const everyField = (type) =>
  Object.values(type.getFields())
    .filter(({ name }) => !['history', 'employer', 'jobPosting', 'media', 'jobs'].includes(name))
    .map(({ name, type: ofField }) => {
      const below = getNamedType(ofField);
      return isObjectType(below) ? `${name} { ${everyField(below)} }` : name;
    })
    .join(' ');

/** A prime, so that successive updates hit jobs far apart. */
const stride = 7_919;

/**
 * The requests that are measured: each function makes the next one, and no two updates are alike.
 * @param build the folder of the gateway, whose schema says which fields a job has
 */
export function scenariosFor(build, jobCount) {
  const schema = buildSchema(readFileSync(join(build, 'schema/schema.graphql'), 'utf8'));
  const updateJob = readFileSync(join(build, 'schema/operations/update-job.graphql'), 'utf8');
  let count = 0;
  const json = (method, path, body) => ({
    method,
    path,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const page = (fields) => () =>
    json('POST', '/graphql', {
      query: `{ jobs(mediaPublicId: "${media}", first: 50) { edges { node { ${fields} } } } }`,
    });
  const next = () => {
    count += 1;
    const index = (count * stride) % jobCount;
    return { job: jobId(index), company: companyId(index), salary: `${count} € a year` };
  };
  return {
    'updateJob over GraphQL': () => {
      const { job: jobPublicId, company: companyPublicId, salary } = next();
      const input = { mediaPublicId: media, companyPublicId, jobPublicId, salary };
      return json('POST', '/graphql', { query: updateJob, variables: { input } });
    },
    'updateJob over REST': () => {
      const { job, company: company_public_id, salary } = next();
      return json('POST', `/jobs/${job}`, { media_public_id: media, company_public_id, salary });
    },
    'page of 50 jobs, three fields': page('publicId name state'),
    'page of 50 jobs, every field': page(everyField(schema.getType('Job'))),
  };
}
