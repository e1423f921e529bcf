import { beforeEach, expect, it } from '@jest/globals';
import { ownGateway } from '../support/own-gateway.js';
import { graphql } from '../support/requests.js';
import { updateCompany, updateJob } from '../support/updates.js';

const gateway = ownGateway({
  UPDATE_JOB_QUOTA: '1000/1s',
  MUTATION_QUOTA: '1000/1s',
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

type Fault = [path: string, code: string, reason: string, message?: string];

/** The faults in the words of a table: without messages if the row has none. */
const told = (faults: Awaited<ReturnType<typeof faultsOf>>, expected: readonly Fault[]) =>
  faults?.map(({ path, code, reason, message }, at) => [
    path.join('.'),
    code,
    reason,
    ...(expected[at]?.[3] === undefined ? [] : [message]),
  ]);

it.each<[string, object, Fault[]]>([
  [
    'a part of an object',
    { salaryRange: { maximum: '100000000', currency: 'EUR', period: 'year' } },
    [
      [
        ...(['input.salaryRange.maximum', 'salary_maximum-format-error', 'format'] as const),
        'Enter an amount from 0 to 99 999 999 with at most two decimals.',
      ],
    ],
  ],
  [
    'an object without an amount',
    { salaryRange: { currency: 'EUR', period: 'year' } },
    ['minimum', 'maximum'].map((part) => [
      `input.salaryRange.${part}`,
      `missing-salary_${part}`,
      'missing',
      'At least one of the two amounts is required.',
    ]),
  ],
  [
    'each faulty element of a list',
    { managerEmails: ['a@mail.example', 'b', 'c@mail.example; d'] },
    [1, 2].map((at) => [
      ...([`input.managerEmails.${at}`, 'manager_emails-format-error', 'format'] as const),
      'Enter an e-mail address.',
    ]),
  ],
  [
    'a list that is too long',
    { managerEmails: ['a', 'b', 'c', 'd', 'e'].map((name) => `${name}@mail.example`) },
    [['input.managerEmails', 'manager_emails-too-long', 'too_many', 'Enter at most 4 addresses.']],
  ],
  [
    'null where a value is needed',
    { state: null },
    [['input.state', 'state-must-be-string', 'not_clearable', 'This field cannot be empty.']],
  ],
  [
    'an unknown id',
    { contractId: 'nothing' },
    [['input.contractId', 'contract_id-not-found', 'not_found', 'This choice does not exist.']],
  ],
  [
    'a move that the state does not allow',
    { state: 'draft' },
    [
      [
        ...(['input.state', 'state-transition-not-allowed', 'conflict'] as const),
        'Choose one of these: “Archived”.',
      ],
    ],
  ],
])('the faults of %s (Contract 7.3.3, 7.3.4, 7.3.5)', async (_name, given, expected) => {
  expect(told(await ofJob(given), expected)).toEqual(expected);
});

it.each<[string, object, Fault[]]>([
  ['a wrong type', { salary: 5 }, [['input.salary', 'salary-must-be-string', 'type']]],
  [
    'wrong types inside objects and lists',
    { salaryRange: { currency: 5, period: 'day' }, recruiterEmails: ['a@mail.example', 7] },
    [
      ['input.salaryRange.currency', 'salary_currency-must-be-string', 'type'],
      ['input.recruiterEmails.1', 'recruiter_emails-must-be-string', 'type'],
    ],
  ],
  [
    'a value that its enum lacks',
    { state: 'gone' },
    [
      [
        ...(['input.state', 'state-format-error', 'format'] as const),
        'Choose one of these: “Draft”, “Published”, “Archived”.',
      ],
    ],
  ],
  [
    'a period that its enum lacks',
    { salaryRange: { currency: 'EUR', period: 'Year' } },
    [['input.salaryRange.period', 'salary_period-format-error', 'format']],
  ],
  [
    'an object without the parts that it needs',
    { salaryRange: {} },
    [
      ['input.salaryRange.currency', 'missing-salary_currency', 'missing'],
      ['input.salaryRange.period', 'missing-salary_period', 'missing'],
    ],
  ],
  [
    'null for a part that an object needs',
    { salaryRange: { currency: null, period: 'day' } },
    [['input.salaryRange.currency', 'missing-salary_currency', 'missing']],
  ],
  ['a missing id', { jobPublicId: undefined }, [['input.jobPublicId', 'missing-job_public_id', 'missing']]],
  ['a field that the schema lacks', { wage: 5 }, []],
])(
  '%s, which GraphQL itself refuses, has its faults by argument (Contract 4.2.12.5, 7.3.4)',
  async (_name, given, expected) => {
    expect(told(await ofJob(given), expected)).toEqual(expected);
  },
);

const pay = { minimum: '1', currency: 'EUR', period: 'year' };

it.each<[string, object, Record<string, string>, object]>([
  ['a long text', { salary: 'x'.repeat(31) }, { salary: 'x'.repeat(31) }, { maximumLength: 30 }],
  [
    'a long HTML text',
    { descriptionJob: 'x'.repeat(100_001) },
    { description_job: 'x'.repeat(100_001) },
    { maximumRawLength: 100_000 },
  ],
  [
    'a long list',
    { managerEmails: ['a@b.fr;c@b.fr;d@b.fr;e@b.fr;f@b.fr'] },
    { manager_emails: 'a@b.fr;c@b.fr;d@b.fr;e@b.fr;f@b.fr' },
    { maximumItems: 4 },
  ],
  [
    'an amount',
    { salaryRange: { ...pay, maximum: '100000000' } },
    { salary_minimum: '1', salary_maximum: '100000000', salary_currency: 'EUR', salary_period: 'year' },
    { minimum: 0, maximum: 99_999_999 },
  ],
  [
    'a late end',
    { expiresAt: '2999-01-01' },
    { expires_at: '2999-01-01' },
    { maximum: expect.stringMatching(/^\d{4}-.*Z$/) },
  ],
  ['a wrong choice', { state: 'gone' }, { state: 'gone' }, { allowed: ['draft', 'published', 'archived'] }],
  [
    'an unknown id, which no number explains',
    { contractId: 'no' },
    { contract_id: 'no' },
    undefined as never,
  ],
])(
  'the fault of %s has its parameters over both APIs (Contract 7.3.6)',
  async (_what, given, form, expected) => {
    const [fault] = (await ofJob(given)) ?? [];
    expect(fault?.parameters).toEqual(expected);
    const { body } = await updateJob(gateway, form, { token });
    expect(body.errors?.[0]?.parameters).toEqual(expected);
  },
);

it('a move that the state does not allow has the states that it allows (Contract 7.3.6)', async () => {
  expect((await ofJob({ state: 'draft' }))?.[0]?.parameters).toEqual({ allowed: ['archived'] });
});

it.each<[string, unknown, Fault[]]>([
  [
    'unknown ids',
    ['health', 'a', ' b '],
    [1, 2].map((at) => [`input.sectorIds.${at}`, 'sector_id-not-found', 'not_found']),
  ],
  [
    'an unknown and a blank id, each named in its own message',
    ['a', '', 'b'],
    [
      ['input.sectorIds.0', 'sector_id-not-found', 'not_found', 'This choice does not exist: a.'],
      ['input.sectorIds.1', 'sector_id-format-error', 'format', 'This field cannot be empty.'],
      ['input.sectorIds.2', 'sector_id-not-found', 'not_found', 'This choice does not exist: b.'],
    ],
  ],
  ['a blank id', ['health', ' '], [['input.sectorIds.1', 'sector_id-format-error', 'format']]],
  ['ids in one text', ['health;retail'], [['input.sectorIds.0', 'sector_id-not-found', 'not_found']]],
  ['eleven ids', [...'abcdefghijk'], [['input.sectorIds', 'sector_id-too-long', 'too_many']]],
  ['hundreds of ids', Array(300).fill('health'), [['input.sectorIds', 'sector_id-too-long', 'too_many']]],
  ['null', ['health', null], [['input.sectorIds.1', 'missing-sector_id', 'missing']]],
])(
  'sectorIds with %s has the faults of its elements (Contract 4.1.4.3, 7.3.4)',
  async (_what, sectorIds, expected) => {
    expect(told(await ofCompany({ sectorIds }), expected)).toEqual(expected);
  },
);

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
  const reply = await updateCompany(gateway, { name: 'Globex' }, { token });
  expect([reply.body.error, reply.body.errors]).toEqual(['company-already-existed', undefined]);
});

it.each([
  [
    'of a rename to a taken name says that another company has it',
    { companyPublicId: 'acme' },
    /^Another company has this name or domain\.$/,
  ],
  [
    'of a name that only another media has says whom to contact',
    {},
    /^This company already exists\. Please contact support/,
  ],
])('company-already-existed %s (Contract 7.3.5)', async (_what, identifier, message) => {
  const document =
    'mutation ($input: UpdateCompanyInput!) { updateCompany(input: $input) { company { name } } }';
  const input = { mediaPublicId: 'demo-media', name: 'Initech', ...identifier };
  for (const dryRun of ['', ', dryRun: true']) {
    const { body } = await graphql(
      gateway,
      document.replace('$input)', `$input${dryRun})`),
      { input },
      { token },
    );
    const [error] = body.errors ?? [];
    expect([error?.message, error?.extensions.fields?.map((fault) => fault.message)]).toEqual([
      expect.stringMatching(message),
      [expect.stringMatching(message)],
    ]);
  }
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
        parameters: { minimum: 1, maximum: 100 },
        message: 'Enter a whole number from 1 to 100.',
      },
    ],
  ]);
});
