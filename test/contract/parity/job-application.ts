import { invalid, jobCase, type ParityCase } from './parity-case.js';

const url = 'https://careers.acme.example/apply';
const external = { applicationMethod: 'external_apply', applicationUrl: url };
const longest = `https://a.example/${'é'.repeat(2_048 - 'https://a.example/'.length)}`;

export const jobApplication: readonly ParityCase[] = [
  jobCase('an external method with its URL is stored (Contract 4.2.9.2)', {
    fields: { application_method: 'external_apply', application_url: url },
    stored: { applicationMethod: 'external_apply', applicationUrl: url },
  }),
  jobCase('an external method needs a URL (Contract 4.2.9.2)', {
    fields: { application_method: 'external_apply' },
    ...invalid('missing-application_url'),
  }),
  jobCase('an external method may use the stored URL (Contract 4.2.9.2)', {
    before: { applicationUrl: url },
    fields: { application_method: 'external_apply' },
    stored: { applicationMethod: 'external_apply' },
  }),
  jobCase('a URL alone is stored, whatever the method (Contract 4.2.9.2)', {
    fields: { application_url: url },
    stored: { applicationUrl: url },
  }),
  jobCase('a new URL replaces the stored URL (Contract 4.2.9.2)', {
    before: external,
    fields: { application_url: `${url}?other` },
    stored: { applicationUrl: `${url}?other` },
  }),
  jobCase('going back to the internal method keeps the URL (Contract 4.2.9.2)', {
    before: external,
    fields: { application_method: 'internal_apply' },
    stored: { applicationMethod: 'internal_apply' },
  }),
  jobCase('updating an external job without a URL needs a URL (Contract 4.2.9.2)', {
    before: { applicationMethod: 'external_apply' },
    fields: { salary: '1' },
    ...invalid('missing-application_url'),
  }),
  jobCase('an external job without a URL can become internal (Contract 4.2.9.2)', {
    before: { applicationMethod: 'external_apply' },
    fields: { application_method: 'internal_apply' },
    stored: { applicationMethod: 'internal_apply' },
  }),
  ...['', '  ', 'by_post', 'EXTERNAL_APPLY'].map((method) =>
    jobCase(`an application_method of ${JSON.stringify(method)} is a fault (Contract 4.2.9.1)`, {
      fields: { application_method: method },
      ...invalid('application_method-format-error'),
      isRefusedByTypes: true,
    }),
  ),
  jobCase('an application_method that is not a text is a fault (Contract 4.3.2)', {
    fields: { application_method: 1 },
    ...invalid('application_method-must-be-string'),
    isRefusedByTypes: true,
  }),
  ...[
    ...['careers.acme.example', '/apply', 'javascript:alert(1)', 'ftp://a.example/x', 'https://'],
    ...['http://a b/', 'https://good.com@evil.com'],
  ].map((given) =>
    jobCase(`an application_url of ${given} is a fault (Contract 4.2.9.2)`, {
      fields: { application_url: given },
      ...invalid('application_url-format-error'),
    }),
  ),
  ...['', ' '].map((given) =>
    jobCase(`an application_url of ${JSON.stringify(given)} clears nothing (Contract 4.3.3.3, 4.3.3.4)`, {
      before: external,
      fields: { application_url: given },
      ...invalid('application_url-format-error'),
    }),
  ),
  jobCase('an application_url of null clears nothing if the job stays external (Contract 4.2.9.2, 4.3.3.2)', {
    before: external,
    fields: { application_url: null },
    ...invalid('application_url-must-be-string'),
  }),
  jobCase('an application_url of null clears nothing if the job becomes external (Contract 4.3.3.2)', {
    before: { applicationUrl: url },
    fields: { application_method: 'external_apply', application_url: null },
    ...invalid('application_url-must-be-string'),
  }),
  jobCase('an application_url of null is cleared if the job becomes internal (Contract 4.3.3.2)', {
    before: external,
    fields: { application_method: 'internal_apply', application_url: null },
    stored: { applicationMethod: 'internal_apply', applicationUrl: null },
  }),
  jobCase('an empty URL with an external method is one fault, not two (Contract 4.2.9.2)', {
    fields: { application_method: 'external_apply', application_url: '' },
    ...invalid('application_url-format-error'),
  }),
  jobCase('an application_url has at most 2048 code points (Contract 8.5)', {
    fields: { application_url: longest },
    stored: { applicationUrl: longest },
  }),
  jobCase('an application_url of 2049 code points is too long (Contract 8.5)', {
    fields: { application_url: `${longest}é` },
    ...invalid('application_url-too-long'),
  }),
];
