import type { Connect } from './calls';
import { company, inBody, job, list, pay } from './sent';
import * as generated from './generated';

function assertStatus<T extends { status: number }, Status extends T['status']>(
  reply: T,
  status: Status,
): asserts reply is Extract<T, { status: Status }> {
  if (reply.status !== status) throw new Error(JSON.stringify(reply));
}

export const connect: Connect = (_url, token) => {
  const options = { headers: { Authorization: `Bearer ${token}` } };
  // The generated functions send JSON, but don't say so.
  const json = { headers: { ...options.headers, 'Content-Type': 'application/json' } };
  return {
    getCompany: async () => {
      const reply = await generated.getCompany(company, options);
      assertStatus(reply, 200);
      return reply.data.company.name;
    },
    updateCompany: async () => {
      const body = { ...inBody, logo_url: 'https://acme.example/logo.png' };
      const reply = await generated.updateCompany(body, {}, json);
      assertStatus(reply, 201);
      return reply.data.company.content.visual.logo;
    },
    postCompany: async (description) => {
      const reply = await generated.postCompany({ ...inBody, description }, {}, json);
      assertStatus(reply, 201);
      return reply.data.company.content.description;
    },
    getJob: async () => {
      const reply = await generated.getJob(job, options);
      assertStatus(reply, 200);
      return (reply.data as generated.JobReadEnvelope).data.salary_period;
    },
    updateJob: async (recruiters) => {
      const body = { ...pay, recruiter_emails: [...recruiters] };
      const reply = await generated.updateJob(job, body, json);
      assertStatus(reply, 200);
      return reply.data.data.salary;
    },
    patchJob: async () => {
      const body = { salary: null };
      const reply = await generated.patchJob(job, body, json);
      assertStatus(reply, 200);
      return reply.data.data.salary;
    },
    getJobs: async () => {
      const reply = await generated.getJobs(list, options);
      assertStatus(reply, 200);
      return reply.data.data.map(({ state }) => state);
    },
    getChanges: async () => {
      const reply = await generated.getChanges({ 'media-public-id': 'demo-media' }, options);
      assertStatus(reply, 200);
      return reply.data.more;
    },
    getReferences: async () => {
      const reply = await generated.getReferences('contract', options);
      assertStatus(reply, 200);
      return reply.data.data.map(({ public_id: id }) => id);
    },
    getHealth: async () => {
      const reply = await generated.getHealth();
      assertStatus(reply, 200);
      return reply.data.status;
    },
    getReadiness: async () => {
      const reply = await generated.getReadiness();
      assertStatus(reply, 200);
      return reply.data.status;
    },
    getMetrics: async () => {
      const reply = await generated.getMetrics();
      assertStatus(reply, 200);
      return reply.data;
    },
    getLogo: async (hash) => {
      const reply = await generated.getLogo(hash);
      assertStatus(reply, 200);
      return reply.data.size;
    },
    getOpenApi: async () => {
      const reply = await generated.getOpenApi();
      assertStatus(reply, 200);
      return reply.data.openapi;
    },
    refuse: async () => {
      const reply = await generated.updateJob(job, { contract_id: 'forever' }, json);
      assertStatus(reply, 422);
      return 'errors' in reply.data ? reply.data.errors[0]?.code : reply.data.errorMessage;
    },
  };
};
