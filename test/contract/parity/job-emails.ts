import { jobFields } from '../../../src/job/job-fields.rules.js';
import { invalid, jobCase, type ParityCase } from './parity-case.js';
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
      jobCase(`${field}: a list can be sent ${spelling} (Contract 4.2.11.1, 4.2.11.3)`, {
        ...given,
        stored: { [path]: two },
      }),
    ),
    jobCase(`${field}: key and key[] together are one list (Contract 4.2.11.1)`, {
      fields: { [field]: two },
      form: [
        [field, two[0] ?? ''],
        [`${field}[]`, two[1] ?? ''],
      ],
      stored: { [path]: two },
    }),
    jobCase(`${field}: four addresses are stored (Contract 4.2.11.2)`, {
      fields: { [field]: [1, 2, 3, 4].map((each) => `${each}@one.example`) },
      stored: { [path]: [1, 2, 3, 4].map((each) => `${each}@one.example`) },
    }),
    jobCase(`${field}: five addresses are too many (Contract 4.2.11.2)`, {
      fields: { [field]: [1, 2, 3, 4, 5].map((each) => `${each}@one.example`) },
      ...invalid(`${field}-too-long`),
    }),
    jobCase(`${field}: five addresses with one duplicate are stored as four (Contract 4.2.11.2)`, {
      fields: { [field]: [1, 2, 3, 4, 4].map((each) => `${each}@one.example`).join(';') },
      stored: { [path]: [1, 2, 3, 4].map((each) => `${each}@one.example`) },
    }),
    ...[
      'nobody',
      'a@b',
      'a b@one.example',
      'a@one.example,b@two.example',
      '<a@one.example>',
      '@one.example',
    ].map((email) =>
      jobCase(`${field}: ${email} is not an e-mail address (Contract 4.2.11.2)`, {
        fields: { [field]: [two[0], email] },
        ...invalid(`${field}-format-error`),
      }),
    ),
    jobCase(`${field}: an address of more than 254 octets is invalid (Contract 4.2.11.2)`, {
      fields: { [field]: `${'é'.repeat(123)}@b.example` },
      ...invalid(`${field}-format-error`),
    }),
    jobCase(`${field}: an address of more than 254 characters is invalid (Contract 4.2.11.2)`, {
      fields: { [field]: `${'a'.repeat(243)}@one.example` },
      ...invalid(`${field}-format-error`),
    }),
    ...['', '  ', ';'].map((text) =>
      jobCase(`${field}: ${JSON.stringify(text)} does not empty the list (Contract 4.3.3.3, 4.3.3.4)`, {
        fields: { [field]: text },
        ...invalid(`${field}-format-error`),
      }),
    ),
    ...[`${field}[0]`, `${field}[]`].flatMap((key) =>
      ['', ' ', ' \t'].flatMap((blank) =>
        key === `${field}[]` && blank === ''
          ? []
          : [
              jobCase(`${field}: a blank ${key}=${JSON.stringify(blank)} is a fault (Contract 4.2.11.1)`, {
                fields: { [field]: [blank] },
                form: [[key, blank]],
                ...invalid(`${field}-format-error`),
              }),
            ],
      ),
    ),
    jobCase(`${field}: two blank key[] are a fault (Contract 4.2.11.1)`, {
      fields: { [field]: ['', ''] },
      form: [
        [`${field}[]`, ''],
        [`${field}[]`, ''],
      ],
      ...invalid(`${field}-format-error`),
    }),
    jobCase(`${field}: key[]= alone empties the list (Contract 4.2.11.1)`, {
      fields: { [field]: [] },
      form: [[`${field}[]`, '']],
      stored: { [path]: [] },
    }),
    ...[null, []].map((empty) =>
      jobCase(`${field}: ${JSON.stringify(empty)} empties the list (Contract 4.3.3.2)`, {
        fields: { [field]: empty },
        stored: { [path]: [] },
      }),
    ),
    ...[7, [two[0], 7], [two[0], null], { email: two[0] }].map((given) =>
      jobCase(`${field}: ${JSON.stringify(given)} is not a list of texts (Contract 4.3.2)`, {
        fields: { [field]: given },
        ...invalid(`${field}-must-be-array-of-strings`),
        isRefusedByTypes: true,
      }),
    ),
  ],
);
