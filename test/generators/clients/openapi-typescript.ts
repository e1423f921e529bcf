import createClient from 'openapi-fetch';
import type { Connect } from './calls';
import { company, inBody, job, list, pay } from './sent';
import type { components, paths } from './generated';

const read = <T>({ data, error }: { data?: T; error?: unknown }): T => {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
};

export const connect: Connect = (baseUrl, token) => {
  const client = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${token}` } });
  const path = { job_public_id: job };
  return {
    getCompany: async () => read(await client.GET('/companies', { params: { query: company } })).company.name,
    updateCompany: async () => {
      const body = { ...inBody, logo_url: 'https://acme.example/logo.png' };
      return read(await client.PATCH('/companies', { body })).company.content.visual.logo;
    },
    postCompany: async (description) =>
      read(await client.POST('/companies', { body: { ...inBody, description } })).company.content.description,
    getJob: async () => {
      const envelope = read(await client.GET('/jobs/{job_public_id}', { params: { path } }));
      return (envelope as components['schemas']['JobReadEnvelope']).data.salary_period;
    },
    updateJob: async (recruiters) => {
      const body = { ...pay, recruiter_emails: [...recruiters] };
      return read(await client.POST('/jobs/{job_public_id}', { params: { path }, body })).data.salary;
    },
    patchJob: async () => {
      const body = { salary: null };
      return read(await client.PATCH('/jobs/{job_public_id}', { params: { path }, body })).data.salary;
    },
    getJobs: async () =>
      read(await client.GET('/jobs', { params: { query: list } })).data.map(({ state }) => state),
    getChanges: async () =>
      read(await client.GET('/changes', { params: { query: { 'media-public-id': 'demo-media' } } })).more,
    getReferences: async () =>
      read(await client.GET('/references/{kind}', { params: { path: { kind: 'contract' } } })).data.map(
        ({ public_id: id }) => id,
      ),
    getHealth: async () => read(await client.GET('/health')).status,
    getReadiness: async () => read(await client.GET('/ready')).status,
    getMetrics: async () => read(await client.GET('/metrics', { parseAs: 'text' })),
    getLogo: async (hash) =>
      read(await client.GET('/logos/{hash}', { params: { path: { hash } }, parseAs: 'arrayBuffer' }))
        .byteLength,
    getOpenApi: async () => read(await client.GET('/openapi.json')).openapi,
    refuse: async () => {
      const { error } = await client.POST('/jobs/{job_public_id}', {
        params: { path },
        body: { contract_id: 'forever' },
      });
      return error?.error === 'validation-failed' ? error.errors[0]?.code : error?.errorMessage;
    },
  };
};
