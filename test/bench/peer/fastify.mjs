import { fastify } from 'fastify';
import { callerOf, page, resolvers, serve, updateJob } from './work.mjs';

// Gives the same replies as the other peers without GraphQL: the text of the document decides between three handwritten replies.
// It also answers the REST update.

const brief = ['publicId', 'name', 'state'];
const stored = [
  ...['name', 'publicId', 'publishedAt', 'salary', 'localisation', 'description', 'applicationMethod'],
  ...['applicationUrl', 'managerEmails', 'recruiterEmails', 'salaryRange', 'version'],
];
const every = [...stored, ...Object.keys(resolvers.Job), 'location', 'questions'];

const shown = (record, fields, resolve) =>
  Object.fromEntries(fields.map((field) => [field, resolve[field] ? resolve[field](record) : record[field]]));
const placeFields = ['addressNbr', 'address', 'city', 'zipCode', 'countryCode'];
const location = (record) =>
  shown(record, [...placeFields, ...Object.keys(resolvers.JobLocation)], resolvers.JobLocation);
const question = ({ _id, placeholder = null, ...question }) => ({
  ...question,
  placeholder,
  questionId: String(_id),
});

/** An update selects three fields of each reference. */
const inBrief = (value) =>
  value !== null && typeof value === 'object' && 'names' in value
    ? { id: value.id, publicId: value.publicId, name: value.name }
    : value;
const briefReferences = (job) =>
  Object.fromEntries(Object.entries(job).map(([field, value]) => [field, inBrief(value)]));

const whole = (job) => ({
  ...shown(job, every, resolvers.Job),
  location: location(job.location),
  questions: job.questions.map(question),
});

const keyed = (reference) => reference && { public_id: reference.publicId, name: reference.name };
/** The documented reply of an update over REST. */
const documented = (job) => {
  const { location, description } = job;
  return {
    name: job.name,
    public_id: job.publicId,
    company: keyed(job.company),
    ...Object.fromEntries(
      ['worktime', 'remote', 'education', 'experience', 'contract', 'office'].map((field) => [
        field,
        keyed(job[field]),
      ]),
    ),
    location: {
      address_nbr: location.addressNbr ?? '',
      address: location.address ?? '',
      city: location.city ?? '',
      administrative_area_department: location.administrativeAreaDepartment ?? '',
      administrative_area_region: location.administrativeAreaRegion ?? '',
      zip_code: location.zipCode ?? '',
      country: location.country ?? '',
      country_code: location.countryCode ?? '',
    },
    salary: job.salary ?? '',
    description: {
      company_desc: description.companyDesc ?? '',
      job_desc: description.jobDesc ?? '',
      profile_desc: description.profileDesc ?? '',
      benefit_desc: description.benefitDesc ?? '',
      process_desc: description.processDesc ?? '',
    },
    questions: job.questions.map(({ questionId, refType, isRequired, placeholder, ...question }) => ({
      _id: questionId,
      ...question,
      ref_type: refType,
      ...(placeholder && { placeholder }),
      is_required: isRequired,
    })),
    job_url: job.jobUrl,
    apply_url: job.applyUrl,
    publishedAt: job.publishedAt,
    is_redirect_apply: job.isRedirectApply,
  };
};

const app = fastify({ logger: false });
app.patch('/jobs/:jobPublicId', async ({ headers, body, params }) => {
  const caller = await callerOf(headers.authorization);
  const { media_public_id: mediaPublicId, company_public_id: companyPublicId, salary } = body;
  return {
    data: documented(whole(await updateJob({ ...params, mediaPublicId, companyPublicId, salary }, caller))),
  };
});
app.post('/graphql', async ({ headers, body: { query, variables } }) => {
  const caller = await callerOf(headers.authorization);
  if (query.startsWith('mutation')) {
    const job = briefReferences(whole(await updateJob(variables.input, caller)));
    return { data: { updateJob: { job, warnings: [] } } };
  }
  const isBrief = query.includes(`{ ${brief.join(' ')} }`);
  const { edges } = await page(
    { mediaPublicId: variables.media, first: 50 },
    caller,
    isBrief ? brief : every,
  );
  const show = isBrief ? (job) => shown(job, brief, resolvers.Job) : whole;
  return { data: { jobs: { edges: edges.map(({ node }) => ({ node: show(node) })) } } };
});
serve(await app.listen({ host: '127.0.0.1', port: 0 }), () => app.close());
