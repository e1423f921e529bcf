import { jobFields } from '../../../src/job/job-fields.rules.js';
import { jobCase, type ParityCase } from './parity-case.js';
import { firstOfKind } from './table-fields.js';

const two = ['a@one.example', 'b@two.example'];

export const jobEmails: readonly ParityCase[] = firstOfKind(jobFields, 'emails').flatMap(
  ({ field, path }) => [
    ...Object.entries({
      'as a repeated key or a JSON array': { fields: { [field]: two } },
      'as key[]': {
        fields: { [field]: two },
        form: two.map((email) => [`${field}[]`, email] as const),
      },
      // PHP and the npm package qs send lists like this.
      'as key[0], key[1]': {
        fields: { [field]: two },
        form: two.map((email, index) => [`${field}[${index}]`, email] as const),
      },
      'as one text separated by ;': { fields: { [field]: two.join(';') } },
      'with several addresses in one element': {
        fields: { [field]: [`${two.join(' ; ')};`] },
      },
      'with extra spaces and separators': { fields: { [field]: ` ${two.join(' ;; ')} ;` } },
      'with duplicates in the same or another case': {
        fields: { [field]: [...two, 'A@One.example', two[1]] },
      },
    }).map(([spelling, given]) =>
      jobCase(`${field}: a list can be sent ${spelling} (Contract 5.1.3, 5.4.7)`, {
        ...given,
        stored: { [path]: two },
      }),
    ),
    jobCase(`${field}: key and key[] together are one list (Contract 5.1.3)`, {
      fields: { [field]: two },
      form: [
        [field, two[0] ?? ''],
        [`${field}[]`, two[1] ?? ''],
      ],
      stored: { [path]: two },
    }),
    jobCase(`${field}: four addresses are stored (Contract 5.4.7)`, {
      fields: { [field]: [1, 2, 3, 4].map((each) => `${each}@one.example`) },
      stored: { [path]: [1, 2, 3, 4].map((each) => `${each}@one.example`) },
    }),
    jobCase(`${field}: five addresses with one duplicate are stored as four (Contract 5.4.7)`, {
      fields: { [field]: [1, 2, 3, 4, 4].map((each) => `${each}@one.example`).join(';') },
      stored: { [path]: [1, 2, 3, 4].map((each) => `${each}@one.example`) },
    }),
    jobCase(`${field}: key[]= alone empties the list (Contract 5.1.3)`, {
      fields: { [field]: [] },
      form: [[`${field}[]`, '']],
      stored: { [path]: [] },
    }),
    ...[null, []].map((empty) =>
      jobCase(`${field}: ${JSON.stringify(empty)} empties the list (Contract 5.1.6)`, {
        fields: { [field]: empty },
        stored: { [path]: [] },
      }),
    ),
  ],
);
