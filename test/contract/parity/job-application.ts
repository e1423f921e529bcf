import { jobCase, type ParityCase } from './parity-case.js';

const url = 'https://careers.acme.example/apply';
const external = { applicationMethod: 'external_apply', applicationUrl: url };
const longest = `https://a.example/${'é'.repeat(2_048 - 'https://a.example/'.length)}`;

export const jobApplication: readonly ParityCase[] = [
  jobCase('an external method with its URL is stored (Contract 5.4.6)', {
    fields: { application_method: 'external_apply', application_url: url },
    stored: { applicationMethod: 'external_apply', applicationUrl: url },
  }),
  jobCase('an external method may use the stored URL (Contract 5.4.6)', {
    before: { applicationUrl: url },
    fields: { application_method: 'external_apply' },
    stored: { applicationMethod: 'external_apply' },
  }),
  jobCase('a URL alone is stored, whatever the method (Contract 5.4.6)', {
    fields: { application_url: url },
    stored: { applicationUrl: url },
  }),
  jobCase('a new URL replaces the stored URL (Contract 5.4.6)', {
    before: external,
    fields: { application_url: `${url}?other` },
    stored: { applicationUrl: `${url}?other` },
  }),
  jobCase('going back to the internal method keeps the URL (Contract 5.4.6)', {
    before: external,
    fields: { application_method: 'internal_apply' },
    stored: { applicationMethod: 'internal_apply' },
  }),
  jobCase('an external job without a URL can become internal (Contract 5.4.6)', {
    before: { applicationMethod: 'external_apply' },
    fields: { application_method: 'internal_apply' },
    stored: { applicationMethod: 'internal_apply' },
  }),
  jobCase('an application_url of null is cleared if the job becomes internal (Contract 5.1.6)', {
    before: external,
    fields: { application_method: 'internal_apply', application_url: null },
    stored: { applicationMethod: 'internal_apply', applicationUrl: null },
  }),
  jobCase('an application_url has at most 2048 code points (Contract 5.4.2)', {
    fields: { application_url: longest },
    stored: { applicationUrl: longest },
  }),
];
