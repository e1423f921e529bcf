import { isErrorFromAlias } from '@zodios/core';
import type { Connect } from './calls';
import { company, inBody, job, list, pay } from './sent';
import { api as described, createApiClient } from './generated';

export const connect: Connect = (baseUrl, token) => {
  const axiosConfig = { headers: { Authorization: `Bearer ${token}` } };
  const api = createApiClient(baseUrl, { axiosConfig });
  // The generator knows only replies in JSON: it gives others the type void, which would fail.
  const unchecked = createApiClient(baseUrl, { axiosConfig, validate: 'request' });
  const params = { job_public_id: job };
  return {
    getCompany: async () => (await api.getCompany({ queries: company })).company.name,
    updateCompany: async (logo) => (await api.updateCompany({ ...inBody, logo })).company.content.visual.logo,
    postCompany: async (description) =>
      (await api.postCompany({ ...inBody, description })).company.content.description,
    getJob: async () => (await api.getJob({ params })).data.salary_period,
    updateJob: async (recruiters) =>
      (await api.updateJob({ ...pay, recruiter_emails: recruiters.join(';') }, { params })).data.salary,
    patchJob: async () => {
      const body = { salary: '' };
      return (await api.patchJob(body, { params })).data.salary;
    },
    getJobs: async () => (await api.getJobs({ queries: list })).data.map(({ state }) => state),
    getChanges: async () => (await api.getChanges({ queries: { 'media-public-id': 'demo-media' } })).more,
    getReferences: async () =>
      (await api.getReferences({ params: { kind: 'contract' } })).data.map(({ public_id: id }) => id),
    getHealth: async () => (await api.getHealth()).status,
    getReadiness: async () => (await api.getReadiness()).status,
    getMetrics: async () => String(await unchecked.getMetrics()),
    getLogo: async (hash) => String(await unchecked.getLogo({ params: { hash } })).length,
    getOpenApi: async () => (await api.getOpenApi()).openapi,
    refuse: async () => {
      const refused: unknown = await api
        .updateJob({ contract_id: 'forever' }, { params })
        .catch((error: unknown) => error);
      if (!isErrorFromAlias(described.api, 'updateJob', refused)) throw refused;
      const { data } = refused.response;
      return 'errors' in data ? data.errors[0]?.code : data.errorMessage;
    },
  };
};
