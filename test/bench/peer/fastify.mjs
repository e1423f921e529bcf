import { fastify } from 'fastify';
import { callerOf, ofCompanies, page, resolvers, serve, updateJob } from './work.mjs';

// Gives the same replies as the other peers without GraphQL: the text of the document decides between three handwritten replies.
// Only the reply to an update differs: it has every field of each reference, not just the two that the document selects.

const brief = ['publicId', 'name', 'state'];
const stored = [
  ...['name', 'publicId', 'publishedAt', 'salary', 'localisation', 'description', 'applicationMethod'],
  ...['applicationUrl', 'managerEmails', 'recruiterEmails', 'version', 'updatedAt'],
];
const every = [...stored, ...Object.keys(resolvers.Job), 'office', 'location', 'questions'];

const shown = (record, fields, resolve) =>
  Object.fromEntries(fields.map((field) => [field, resolve[field] ? resolve[field](record) : record[field]]));
const placeFields = ['addressNbr', 'address', 'city', 'zipCode', 'countryCode'];
const location = (record) =>
  shown(record, [...placeFields, ...Object.keys(resolvers.JobLocation)], resolvers.JobLocation);
const question = ({ _id, placeholder = null, ...question }) => ({
  ...question,
  placeholder,
  id: String(_id),
});

async function whole(jobs) {
  const [companies, offices] = await Promise.all([ofCompanies.company(jobs), ofCompanies.office(jobs)]);
  return jobs.map((job, index) => ({
    ...shown(job, every, resolvers.Job),
    company: { publicId: companies[index].publicId, name: companies[index].name },
    office: offices[index] ?? null,
    location: location(job.location),
    questions: job.questions.map(question),
  }));
}

const app = fastify({ logger: false });
app.post('/graphql', async ({ headers, body: { query, variables } }) => {
  const caller = await callerOf(headers.authorization);
  if (query.startsWith('mutation')) {
    const [job] = await whole([await updateJob(variables.input, caller)]);
    return { data: { updateJob: { job, warnings: [] } } };
  }
  const isBrief = query.includes(`{ ${brief.join(' ')} }`);
  const { edges } = await page(
    { mediaPublicId: variables.media, first: 50 },
    caller,
    isBrief ? brief : [...every, 'applicationMethod', 'state', 'company'],
  );
  const jobs = edges.map(({ node }) => node);
  const nodes = isBrief ? jobs.map((job) => shown(job, brief, resolvers.Job)) : await whole(jobs);
  return { data: { jobs: { edges: nodes.map((node) => ({ node })) } } };
});
serve(await app.listen({ host: '127.0.0.1', port: 0 }), () => app.close());
