import type { Connect } from './calls';
import { company, inBody, job, list, pay } from './sent';
import { Api, type ValidationFailedBody } from './generated/gateway';

export const connect: Connect = (baseUrl, token) => {
  const headers = { Authorization: `Bearer ${token}` };
  const api = new Api({ baseUrl, baseApiParams: { headers, format: 'json' } });
  return {
    getCompany: async () => (await api.companies.getCompany(company)).data.company.name,
    updateCompany: async (logo) =>
      (await api.companies.updateCompany({ ...inBody, logo })).data.company.content.visual.logo,
    postCompany: async (description) =>
      (await api.companies.postCompany({ ...inBody, description })).data.company.content.description,
    getJob: async () => (await api.jobs.getJob(job)).data.data.salary_period,
    updateJob: async (recruiters) =>
      (await api.jobs.updateJob(job, { ...pay, recruiter_emails: [...recruiters] })).data.data.salary,
    patchJob: async () => {
      const body = { salary: '' };
      return (await api.jobs.patchJob(job, body)).data.data.salary;
    },
    getJobs: async () => (await api.jobs.getJobs(list)).data.data.map(({ state }) => state),
    getChanges: async () => (await api.changes.getChanges({ 'media-public-id': 'demo-media' })).data.more,
    getReferences: async () =>
      (await api.references.getReferences('contract')).data.data.map(({ public_id: id }) => id),
    getHealth: async () => (await api.health.getHealth()).data.status,
    getReadiness: async () => (await api.ready.getReadiness()).data.status,
    getMetrics: async () => (await api.metrics.getMetrics({ format: 'text' })).data,
    getLogo: async (hash) => (await api.logos.getLogo(hash)).data.size,
    getOpenApi: async () => (await api.openapiJson.getOpenApi()).data.openapi,
    refuse: async () => {
      const refused: unknown = await api.jobs
        .updateJob(job, { contract_id: 'forever' })
        .catch((reply) => reply);
      return (refused as { error: ValidationFailedBody }).error.errors[0]?.code;
    },
  };
};
