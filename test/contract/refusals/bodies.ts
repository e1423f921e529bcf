import { Readable } from 'node:stream';
import * as to from './requests.js';
import { type Refusal, refusal, type Sent, told } from './refusal.js';

const { job, company, json, urlencoded, mixed, part, operations, end, upload } = to;

/** In bytes: what the gateway of the tests accepts. */
export const limits = { body: 65_536, logo: 2_048 };

const many = JSON.stringify({ variables: Array(1_001).fill(1) });
const noHash = JSON.stringify({ extensions: { persistedQuery: { version: 1, sha256Hash: '0'.repeat(64) } } });
const file = (name: string, bytes: number) => part(`name="${name}"; filename="a"`, 'x'.repeat(bytes));
const logosWithControls = ['\u0007', '\u007f', '\0'].map((control) =>
  part(`name="logo"; filename="a${control}.png"`, 'x'),
);
const badHeader = 'a part has a missing or invalid header, for example a file name with a control character';

/** A stream has no Content-Length, so only the parser can measure it. */
const streamed =
  (...chunks: string[]) =>
  (): Sent => ({
    ...to.multipart(''),
    body: Readable.toWeb(
      Readable.from(chunks.filter(Boolean).map((chunk) => Buffer.from(chunk))),
    ) as ReadableStream,
  });
/** Operations that come after too many other bytes. */
const late = (start: string) =>
  streamed(start, 'a'.repeat(2 * limits.body), `\r\n${operations()}${part('name="map"', '{}')}${end}`);

/** The refusals by what stands after the colon of their message. */
export const unreadable: readonly Refusal[] = [
  ...told('body-format-error', {
    'it is not JSON': [
      to.rest(job, json, '{"salary": "1"'),
      to.multipart(operations('{"query":"{ __typename }",}') + part('name="map"', '{}') + end),
      to.multipart(operations() + part('name="map"', '{"0":}') + end),
    ],
    'it is not a JSON object': [to.rest(job, json, '[]')],
    'it is not UTF-8': [
      to.rest(job, json, Buffer.from('{"salary":"é"}', 'latin1')),
      to.rest(job, json, Buffer.from('{"salary":"€"}').subarray(0, 13)),
      to.graphqlBody(Buffer.from('{"query":"{ a(b: \\"é\\") }"}', 'latin1')),
    ],
    'its percent escapes are not UTF-8': [to.rest(job, urlencoded, 'name=caf%C3%A9&salary=%E9')],
    'description is not UTF-8': [
      to.rest(company, mixed, Buffer.from(`${part('name="description"', 'Café')}${end}`, 'latin1')),
    ],
    'its operations are not UTF-8': [to.multipart(Buffer.from(operations('{"query":"é"}') + end, 'latin1'))],
    // Callers who set Content-Type by hand get this error.
    'Content-Type has more than 200 characters, or no boundary': [
      // The search for a long boundary would take seconds.
      ...['multipart/form-data', `multipart/form-data; boundary=${'a'.repeat(15_000)}`].flatMap((type) => [
        to.rest(company, type, end),
        to.graphqlBody(end, type),
      ]),
    ],
    [badHeader]: [
      ...logosWithControls.map((logo) => to.rest(company, mixed, logo + end)),
      ...[
        'Content-Disposition: attachment\r\n\r\nx\r\n',
        'Content-Type: text/plain\r\n\r\nx\r\n',
        'Content-Type: text/plain\r\n',
      ].map((header) => to.rest(company, mixed, `--x\r\n${header}${end}`)),
      to.multipart(`--x\r\nnonsense\r\n\r\nx\r\n${end}`),
      to.multipart(`${operations()}--x\r\n\u0000: \r\n\r\nx`),
    ],
    'its map has a path that does not lead to a null in operations': ['input', '__proto__'].map((name) =>
      to.multipart(
        operations() + part('name="map"', `{"0":["variables.${name}.logo"]}`) + file('0', 1) + end,
      ),
    ),
    'it has more than 1000 fields': [
      to.rest(job, urlencoded, '&'.repeat(1_000)),
      to.graphqlBody(many),
      to.multipart(operations(many) + end),
      to.multipart(operations() + part('name="map"', `{"0":[${'"variables.a",'.repeat(1_000)}"b"]}`) + end),
    ],
    'it has more than 20 parts': [
      to.multipart(operations() + part('name="a"', 'x').repeat(25) + end),
      to.multipart(operations() + '--x\r\n\r\n\r\n'.repeat(2_000) + end),
    ],
  }),
  {
    title: 'JSON that breaks off, in both languages (Contract 7.2.4)',
    code: 'body-format-error',
    hint: ['it is not JSON', 'ce n’est pas du JSON'],
    sent: [to.rest(job, json, '{'), to.rest(company, json, '['), to.graphqlBody('{')],
  },
  {
    title:
      'multipart bodies for which the parser emits two errors, of which the second could end the process',
    code: 'body-format-error',
    sent: [
      '--x\r\nContent-Disposition: form-data; na',
      operations('{').slice(0, -2),
      `--x\r\nContent-Type: text/plain\r\n\r\nx\r\n${end}`,
      file('0', 1) + operations(),
      '',
    ].map(to.multipart),
  },
  {
    title: 'multipart bodies over REST that break off, or have a part without a name',
    code: 'body-format-error',
    sent: [
      'name=x',
      part('name="name"', 'x') + end.replaceAll('x', 'y'),
      part('name="name"', 'x'),
      part('name="logo"; filename="a"', 'x'),
      `--x\r\nContent-Disposition: form-data\r\n\r\nx\r\n${end}`,
    ].map((body) => to.rest(company, mixed, body)),
  },
  {
    title: 'multipart bodies over GraphQL without a map, or with parts in another order (Contract 5.3.5)',
    code: 'body-format-error',
    sent: [
      operations() + file('0', 1),
      part('name="map"', '{}') + operations() + file('0', 1),
      operations() + file('0', 1) + part('name="map"', '{}'),
      operations() + part('name="map"', '[]') + file('0', 1),
    ].map((body) => to.multipart(body + end)),
  },
  refusal(
    'body-format-error',
    'the name of a file over GraphQL with a control character',
    logosWithControls.map((logo) => to.multipart(upload + logo + end)),
    { hint: badHeader, field: 'updateCompany' },
  ),
  {
    title: 'multipart bodies whose file breaks off or is missing',
    code: 'body-format-error',
    field: 'updateCompany',
    sent: [upload + file('0', 9).slice(0, -2), upload + end, upload + file('1', 9) + end].map(to.multipart),
  },
  {
    title: 'a path that cannot be decoded',
    code: 'body-format-error',
    bucket: null,
    sent: ['/jobs/%zz', '/jobs/%', '/%E0%A4%A', '/companies/%c0%af'].map(to.at),
  },
  {
    title: 'an unknown document hash without a text (Contract 7.3.2)',
    code: 'body-format-error',
    bucket: 'read',
    message: ['PersistedQueryNotSupported', 'PersistedQueryNotSupported'],
    graphqlCode: 'PERSISTED_QUERY_NOT_SUPPORTED',
    sent: [to.graphqlBody(noHash)],
  },
  ...[
    ...['validate_only', 'Validate_Only', 'validateonly', 'validate--only'],
    ...['wait=5, validate_only', 'validate-only=true', '"validate-only"', 'validate-only1; x=1'],
    ...['handling=strict; validate-only', 'return=minimal validate-only', 'x="a,validate-only,\\"b"'],
    ...['validate only', 'validate, only', 'vali-date-only', 'x-validate-only', 'wait=5; Validate_Only'],
  ].map((prefer): Refusal => ({
    title: `the preference ${prefer} (Contract 6.3.2)`,
    code: 'body-format-error',
    hint: `Prefer must be validate-only, not ${prefer}; separate preferences with commas`,
    sent: [to.rest(job, urlencoded, to.form({ salary: '1' }), { prefer })],
  })),
  ...(
    [
      ['a body without a document', 'GraphQL queries must be strings.', to.graphqlBody('{"query":1}')],
      [
        'an empty object',
        'POST body missing, invalid Content-Type, or JSON object has no keys.',
        to.graphqlBody('{}'),
      ],
      [
        'a batch (Contract 4.1.1)',
        'Operation batching disabled.',
        to.graphqlBody('[{"query":"{ __typename }"}]'),
      ],
      [
        'a request that any web page can send (Contract 4.1.1)',
        to.csrf,
        to.get('{__typename}'),
        {
          ...to.multipart(operations() + part('name="map"', '{}') + end),
          headers: { 'content-type': mixed },
        },
      ],
    ] as const
  ).map(([title, english, ...sent]): Refusal => ({
    title,
    code: 'body-format-error',
    message: [english, 'Le corps de la requête est illisible.'],
    sent,
  })),
  {
    title: 'a mutation by GET (Contract 4.1.1, 7.2.3)',
    code: 'method-not-allowed',
    message: [
      'GET requests only support query operations, not mutation operations',
      'Ce chemin n’accepte pas cette méthode.',
    ],
    headers: { allow: 'POST' },
    bucket: 'mutation',
    sent: [
      to.get('mutation { updateCompany(input: { mediaPublicId: "a" }) { company { name } } }', {
        'content-type': json,
      }),
    ],
  },
];

const together = `together must have at most 64 KiB`;

export const tooLarge: readonly Refusal[] = [
  ...told('payload-too-large', {
    [`the body must have at most 64 KiB`]: [job, company].flatMap((path) => [
      to.rest(path, urlencoded, to.form({ salary: '1'.repeat(limits.body) })),
      to.rest(path, json, JSON.stringify({ salary: '1'.repeat(limits.body) })),
    ]),
    [`logo must have at most 2 KiB`]: [to.companyForm('logo', limits.logo + 1)],
    [`description and the fields before it ${together}`]: [to.companyForm('description', limits.body)],
    // Shortened.
    [`${'n'.repeat(40)}… and the fields before it ${together}`]: [
      to.companyForm('n'.repeat(900), limits.body - 800),
    ],
    [`logo must have at most 2 KiB, and everything else ${together}`]: [
      to.companyForm('logo', limits.logo + limits.body + 8_192),
    ],
    [`operations must have at most 64 KiB`]: [
      streamed(operations(' '.repeat(limits.body + 1)) + end),
      late(''),
      late('--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n'),
      late('--x\r\nContent-Disposition: attachment\r\n\r\n'),
    ],
  }),
  {
    title: 'a logo over GraphQL (Contract 5.3.5, 7.4.5)',
    code: 'payload-too-large',
    hint: `logo must have at most 2 KiB`,
    field: 'updateCompany',
    fields: [['input.logo', 'payload-too-large', 'too_long', 'Choose a file of at most 2 KiB.']],
    bucket: 'mutation',
    sent: [1, 3_000].map((over) => streamed(upload + file('0', limits.logo + over) + end)),
  },
  {
    title: 'two files over GraphQL',
    code: 'payload-too-large',
    hint: 'send at most one file',
    field: 'updateCompany',
    bucket: 'mutation',
    sent: [streamed(upload + file('0', 1) + file('1', 1) + end)],
  },
];
