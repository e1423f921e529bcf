import { beforeEach, expect, it } from '@jest/globals';
import { ownGateway } from '../support/own-gateway.js';
import { graphql, rest } from '../support/requests.js';

const gateway = ownGateway({
  UPDATE_JOB_QUOTA: '1000/1s',
  MUTATION_QUOTA: '1000/1s',
  LOGO_MAX_SIZE: '1KiB',
});
let token: string;
beforeEach(async () => {
  await gateway.reset();
  token = await gateway.token({ media: ['demo-media'] });
});

const job = { jobPublicId: 'acme-backend-engineer' };
const company = { mediaPublicId: 'demo-media', companyPublicId: 'acme' };
const updates = {
  updateJob: 'mutation ($given: UpdateJobInput!) { updateJob(input: $given) { job { version } } }',
  updateCompany:
    'mutation ($given: UpdateCompanyInput!) { updateCompany(input: $given) { company { version } } }',
};

async function faultsOf(operation: keyof typeof updates, given: object, headers = {}) {
  const { body } = await graphql(gateway, updates[operation], { given }, { token, headers });
  return body.errors?.flatMap(({ extensions }) => extensions.fields ?? []);
}

const ofJob = (given: object, headers = {}) => faultsOf('updateJob', { ...job, ...given }, headers);
const ofCompany = (given: object) => faultsOf('updateCompany', { ...company, ...given });

it.each<[string, object, object[]]>([
  [
    'a part of an object',
    { salaryRange: { maximum: '100000000', currency: 'EUR', period: 'year' } },
    [
      {
        path: ['input', 'salaryRange', 'maximum'],
        code: 'salary_maximum-format-error',
        reason: 'format',
        message: 'Enter an amount from 0 to 99 999 999 with at most two decimals.',
      },
    ],
  ],
  [
    'an object without an amount',
    { salaryRange: { currency: 'EUR', period: 'year' } },
    [
      {
        path: ['input', 'salaryRange', 'minimum'],
        code: 'missing-salary_minimum',
        reason: 'missing',
        message: 'This field is required.',
      },
    ],
  ],
  [
    'each faulty element of a list',
    { managerEmails: ['a@mail.example', 'b', 'c@mail.example; d'] },
    ['1', '2'].map((at) => ({
      path: ['input', 'managerEmails', at],
      code: 'manager_emails-format-error',
      reason: 'format',
      message: 'Enter an e-mail address.',
    })),
  ],
  [
    'a list that is too long',
    { managerEmails: ['a', 'b', 'c', 'd', 'e'].map((name) => `${name}@mail.example`) },
    [
      {
        path: ['input', 'managerEmails'],
        code: 'manager_emails-too-long',
        reason: 'too_many',
        message: 'Enter at most 4 addresses.',
      },
    ],
  ],
  [
    'null where a value is needed',
    { state: null },
    [
      {
        path: ['input', 'state'],
        code: 'state-must-be-string',
        reason: 'not_clearable',
        message: 'This field cannot be empty.',
      },
    ],
  ],
  [
    'an unknown id',
    { contractId: 'nothing' },
    [
      {
        path: ['input', 'contractId'],
        code: 'contract_id-not-found',
        reason: 'not_found',
        message: 'This choice does not exist.',
      },
    ],
  ],
  [
    'a move that the state does not allow',
    { state: 'draft' },
    [
      {
        path: ['input', 'state'],
        code: 'state-transition-not-allowed',
        reason: 'conflict',
        message: 'The job cannot move from its current state to the requested one.',
      },
    ],
  ],
])('the faults of %s (Contract 7.3.3, 7.3.4, 7.3.5)', async (_name, given, expected) => {
  expect(await ofJob(given)).toEqual(expected);
});

it.each<[string, object, [string[], string, string][]]>([
  ['a wrong type', { salary: 5 }, [[['input', 'salary'], 'salary-must-be-string', 'type']]],
  [
    'wrong types inside objects and lists',
    { salaryRange: { currency: 5, period: 'day' }, recruiterEmails: ['a@mail.example', 7] },
    [
      [['input', 'salaryRange', 'currency'], 'salary_currency-must-be-string', 'type'],
      [['input', 'recruiterEmails', '1'], 'recruiter_emails-must-be-string', 'type'],
    ],
  ],
  ['a value that its enum lacks', { state: 'gone' }, [[['input', 'state'], 'state-format-error', 'format']]],
  [
    'a period that its enum lacks',
    { salaryRange: { currency: 'EUR', period: 'Year' } },
    [[['input', 'salaryRange', 'period'], 'salary_period-format-error', 'format']],
  ],
  [
    'an object without the parts that it needs',
    { salaryRange: {} },
    [
      [['input', 'salaryRange', 'currency'], 'missing-salary_currency', 'missing'],
      [['input', 'salaryRange', 'period'], 'missing-salary_period', 'missing'],
    ],
  ],
  [
    'null for a part that an object needs',
    { salaryRange: { currency: null, period: 'day' } },
    [[['input', 'salaryRange', 'currency'], 'missing-salary_currency', 'missing']],
  ],
  [
    'a missing id',
    { jobPublicId: undefined },
    [[['input', 'jobPublicId'], 'missing-job_public_id', 'missing']],
  ],
  ['a field that the schema lacks', { wage: 5 }, []],
])(
  '%s, which GraphQL itself refuses, has its faults by argument (Contract 4.2.12.5, 7.3.4)',
  async (_name, given, expected) => {
    const faults = await ofJob(given);
    expect(faults?.map(({ path, code, reason }) => [path, code, reason])).toEqual(expected);
  },
);

it.each<[string, unknown, [string[], string, string][]]>([
  [
    'unknown ids',
    ['health', 'a', ' b '],
    ['1', '2'].map((at) => [['input', 'sectorIds', at], 'not-found', 'not_found']),
  ],
  ['ids in one text', ['health;retail'], [[['input', 'sectorIds', '0'], 'not-found', 'not_found']]],
  ['a blank id', ['health', ' '], [[['input', 'sectorIds', '1'], 'format-error', 'format']]],
  ['eleven ids', [...'abcdefghijk'], [[['input', 'sectorIds'], 'too-long', 'too_many']]],
  [
    'hundreds of ids',
    Array.from({ length: 300 }, () => 'health'),
    [[['input', 'sectorIds'], 'too-long', 'too_many']],
  ],
])(
  'sectorIds with %s has the faults of its elements (Contract 4.1.4.3, 7.3.4)',
  async (_what, sectorIds, expected) => {
    const faults = await ofCompany({ sectorIds });
    expect(faults?.map(({ path, code, reason }) => [path, code, reason])).toEqual(
      expected.map(([path, code, reason]) => [path, `sector_id-${code}`, reason]),
    );
  },
);

it('sectorIds refuses null among its ids (Contract 4.1.4.3)', async () => {
  expect(await ofCompany({ sectorIds: ['health', null] })).toEqual([
    expect.objectContaining({ path: ['input', 'sectorIds', '1'], code: 'missing-sector_id' }),
  ]);
});

it.each([[null], [[]]])(
  'sectorIds of %j clears the sectors (Contract 4.1.4.3, 4.3.3.2)',
  async (sectorIds) => {
    const sectors = async () =>
      (await gateway.models.companies.findOne({ publicId: 'acme' }).orFail().lean()).sectors;
    expect(await ofCompany({ sectorIds: ['retail', 'health'] })).toBeUndefined();
    expect(await sectors()).toHaveLength(2);
    expect(await ofCompany({ sectorIds })).toBeUndefined();
    expect(await sectors()).toEqual([]);
  },
);

it('a variable inside an argument has the path of the argument (Contract 7.3.4)', async () => {
  const document =
    'mutation ($pay: [String!]) { updateJob(input: { jobPublicId: "acme-backend-engineer", managerEmails: $pay }) { job { version } } }';
  const { body } = await graphql(gateway, document, { pay: [1] }, { token });
  expect(body.errors?.[0]?.extensions.fields?.[0]?.path).toEqual(['input', 'managerEmails', '0']);
});

it('a message names no field, in either language (Contract 7.3.3, 7.8)', async () => {
  const given = {
    salary: 'x'.repeat(31),
    salaryRange: { minimum: '2', maximum: '1', currency: 'EUR', period: 'day' },
    localisation: '\u0000',
    contractId: '',
    applicationUrl: 'no',
    managerEmails: ['no'],
  };
  for (const language of ['en', 'fr']) {
    const faults = await ofJob(given, { 'accept-language': language });
    expect(faults).toHaveLength(6);
    for (const { message } of faults ?? []) {
      expect(message).toMatch(/^\p{Lu}[^_]*\.$/u);
      expect(message).not.toMatch(/salary|contract|application|manager|localisation/i);
      if (language === 'fr') expect(message).toMatch(/^(Saisissez|Ce champ|Retirez)/);
    }
  }
});

it('a name or domain of another company is refused with every new one that was sent (Contract 7.3.5)', async () => {
  const both = [
    [['input', 'name'], 'company-already-existed', 'conflict'],
    [['input', 'domainUrl'], 'company-already-existed', 'conflict'],
  ];
  const toldOf = async (given: object) =>
    (await ofCompany(given))?.map(({ path, code, reason }) => [path, code, reason]);
  expect(await toldOf({ name: 'Globex', domainUrl: 'new.example' })).toEqual(both);
  expect(await toldOf({ name: 'New', domainUrl: 'globex.example' })).toEqual(both);
  expect(await toldOf({ name: 'Globex', domainUrl: 'acme.example' })).toEqual(both.slice(0, 1));
  const unidentified = { companyPublicId: undefined, name: 'Initech', domainUrl: 'new.example' };
  expect(await toldOf(unidentified)).toEqual(both.toReversed());
  const form = { media_public_id: 'demo-media', company_public_id: 'acme', name: 'Globex' };
  const reply = await rest(gateway, 'PATCH', '/companies', { form }, { token });
  expect([reply.body.error, reply.body.errors]).toEqual(['company-already-existed', undefined]);
});

it('a logo that is too large is a fault of its field (Contract 7.3.5)', async () => {
  const form = new FormData();
  const given = { ...company, logo: null };
  form.append('operations', JSON.stringify({ query: updates.updateCompany, variables: { given } }));
  form.append('map', '{"0":["variables.given.logo"]}');
  form.append('0', new Blob([new Uint8Array(1_025)]), 'logo.png');
  const headers = { authorization: `Bearer ${token}`, 'apollo-require-preflight': 'true' };
  const reply = await fetch(`${gateway.url}/graphql`, { method: 'POST', body: form, headers });
  expect(await reply.json()).toMatchObject({
    errors: [
      {
        extensions: {
          error: 'payload-too-large',
          fields: [
            {
              path: ['input', 'logo'],
              code: 'payload-too-large',
              reason: 'too_long',
              message: 'Choose a file of at most 1 024 bytes.',
            },
          ],
        },
      },
    ],
  });
});

it('a page of 300 is refused for its size, not for what it would cost (Contract 4.4.6, 7.3.3)', async () => {
  const document =
    '{ jobs(mediaPublicId: "demo-media", first: 300) { edges { node { name questions { ref } } } } }';
  const { status, body } = await graphql(gateway, document, {}, { token });
  expect([status, body.errors?.[0]?.extensions.fields]).toEqual([
    200,
    [
      {
        path: ['first'],
        code: 'first-format-error',
        reason: 'too_many',
        message: 'Enter a whole number from 1 to 100.',
      },
    ],
  ]);
});

it('a version conflict has the current version and what changed since, and over REST the ETag (Contract 9.1.3)', async () => {
  await ofJob({ salary: '5 €', descriptionJob: '<p>New</p>' });
  const document =
    'mutation ($input: UpdateJobInput!) { updateJob(input: $input, expectedVersion: 1) { job { version } } }';
  const { body } = await graphql(gateway, document, { input: { ...job, salary: '6 €' } }, { token });
  expect(body.errors?.[0]).toMatchObject({
    message: 'The record has changed since the version you expected.',
    extensions: {
      error: 'version-conflict',
      currentVersion: 2,
      changedFields: ['salary', 'description.jobDesc'],
    },
  });
  const reply = await rest(
    gateway,
    'POST',
    '/jobs/acme-backend-engineer',
    { form: { salary: '6 €' } },
    {
      token,
      headers: { 'if-match': '"1"' },
    },
  );
  expect([reply.status, reply.headers.get('etag'), reply.body.errorMessage]).toEqual([
    412,
    '"2"',
    'The record has changed since the version you expected: salary, description.job_desc.',
  ]);
});
