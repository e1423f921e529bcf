import type { Connect } from './calls';
import { company, inBody, job, list, pay } from './sent';
import * as generated from './generated';
import { client } from './generated/client.gen';

export const connect: Connect = (baseUrl, token) => {
  client.setConfig({ baseUrl, auth: token, throwOnError: true });
  const path = { job_public_id: job };
  const throwOnError = true;
  return {
    getCompany: async () => (await generated.getCompany({ query: company, throwOnError })).data.company.name,
    updateCompany: async () => {
      const body = { ...inBody, logo_url: 'https://acme.example/logo.png' };
      return (await generated.updateCompany({ body, throwOnError })).data.company.content.visual.logo;
    },
    postCompany: async (description) =>
      (await generated.postCompany({ body: { ...inBody, description }, throwOnError })).data.company.content
        .description,
    getJob: async () => {
      const { data } = await generated.getJob({ path, throwOnError });
      return (data as generated.JobReadEnvelope).data.salary_period;
    },
    updateJob: async (recruiters) => {
      const body = { ...pay, recruiter_emails: [...recruiters] };
      return (await generated.updateJob({ path, body, throwOnError })).data.data.salary;
    },
    patchJob: async () => {
      const body = { salary: null };
      return (await generated.patchJob({ path, body, throwOnError })).data.data.salary;
    },
    getJobs: async () =>
      (await generated.getJobs({ query: list, throwOnError })).data.data.map(({ state }) => state),
    getChanges: async () =>
      (await generated.getChanges({ query: { 'media-public-id': 'demo-media' }, throwOnError })).data.more,
    getReferences: async () =>
      (await generated.getReferences({ path: { kind: 'contract' }, throwOnError })).data.data.map(
        ({ public_id: id }) => id,
      ),
    getHealth: async () => (await generated.getHealth({ throwOnError })).data.status,
    getReadiness: async () => (await generated.getReadiness({ throwOnError })).data.status,
    getMetrics: async () => (await generated.getMetrics({ throwOnError })).data,
    getLogo: async (hash) => (await generated.getLogo({ path: { hash }, throwOnError })).data.size,
    getOpenApi: async () => (await generated.getOpenApi({ throwOnError })).data.openapi,
    refuse: async () => {
      const { error } = await generated.updateJob({
        path,
        body: { contract_id: 'forever' },
        throwOnError: false,
      });
      return error?.error === 'validation-failed' ? error.errors[0]?.code : error?.errorMessage;
    },
  };
};
