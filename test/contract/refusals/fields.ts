import * as to from './requests.js';
import { type More, type Refusal, refusal } from './refusal.js';

const { job, company, json, urlencoded, document, form, updateJob, updateCompany, ofCompany, ofJob } = to;

const invalid = (
  title: string,
  faults: NonNullable<Refusal['faults']>,
  sent: Refusal['sent'],
  more: More = {},
) => refusal('validation-failed', title, sent, { faults, ...more });

const fiveEmails = [1, 2, 3, 4, 5].map((each) => `${each}@mail.example`);

export const faultyFields: readonly Refusal[] = [
  invalid(
    'two fields (Contract 7.2.4)',
    [
      ['contract_id', 'contract_id-not-found', 'This choice does not exist.', 'Ce choix n’existe pas.'],
      ['salary', 'salary-too-long', 'Enter at most 30 characters.', 'Saisissez au plus 30 caractères.'],
    ],
    to.jobUpdate({ contract_id: 'nothing', salary: 'x'.repeat(31) }),
    {
      field: 'updateJob',
      fields: [
        ['input.contractId', 'contract_id-not-found', 'not_found'],
        ['input.salary', 'salary-too-long', 'too_long'],
      ],
    },
  ),
  ...([['nothing;health;retial', ': nothing, retial', [0, 2]]] as const).map(
    ([sector_id, unknown, elements]) =>
      invalid(
        `the unknown ids in ${sector_id} (Contract 5.2.8)`,
        [
          [
            'sector_id',
            'sector_id-not-found',
            `This choice does not exist${unknown}.`,
            `Ce choix n’existe pas${unknown.replace(':', ' :')}.`,
          ],
        ],
        to.companyUpdate({ sector_id }),
        {
          field: 'updateCompany',
          fields: elements.map((at) => [`input.sectorIds.${at}`, 'sector_id-not-found', 'not_found']),
        },
      ),
  ),
  invalid(
    'a null that the field cannot be, and a list with too many elements (Contract 5.1.6, 5.4.2)',
    [
      ['state', 'state-must-be-string', 'This field cannot be empty.'],
      ['manager_emails', 'manager_emails-too-long', 'Enter at most 4 addresses.'],
    ],
    [
      to.rest(job, json, JSON.stringify({ state: null, manager_emails: fiveEmails })),
      document(updateJob, { input: { ...ofJob, state: null, managerEmails: fiveEmails } }),
    ],
    {
      field: 'updateJob',
      fields: [
        ['input.state', 'state-must-be-string', 'not_clearable'],
        ['input.managerEmails', 'manager_emails-too-long', 'too_many'],
      ],
    },
  ),
  invalid(
    'a company that the query string names twice, even the same one (Contract 5.2.3)',
    [['company_public_id', 'company_public_id-must-be-string', 'Enter a text.']],
    ['company-public-id=acme', 'company_public_id=acme', 'company-public-id=nobody'].map((other) =>
      to.rest(`${company}?company-public-id=acme&${other}`, urlencoded, 'media_public_id=demo-media'),
    ),
  ),
  invalid(
    'missing identifiers, after a unit is spent (Contract 7.1.1)',
    [['company_public_id', 'missing-company_public_id', 'This field is required.']],
    [
      to.rest(job, urlencoded, form({ company_public_id: '' })),
      to.rest(company, json, '{"media_public_id":"demo-media"}'),
    ],
  ),
  invalid(
    'a malformed idempotency key',
    [['idempotency_key', 'idempotency_key-format-error', 'Use 1 to 255 visible ASCII characters.']],
    [
      to.rest(job, urlencoded, form({}), { 'idempotency-key': 'k'.repeat(256) }),
      document(to.updateJobWith('idempotencyKey: "é"'), { input: ofJob }),
    ],
    { field: 'updateJob', fields: [['idempotencyKey', 'idempotency_key-format-error', 'format']] },
  ),
];

/** A document or variables that do not fit the schema. */
const misfit = (message: string, sent: Refusal['sent'], more: More = {}) =>
  refusal('validation-failed', message, sent, { status: 400, message, ...more });

export const documents: readonly Refusal[] = [
  refusal('body-format-error', 'a document that does not parse', [document('{ viewer {')], {
    graphqlCode: 'GRAPHQL_PARSE_FAILED',
    message: 'Syntax Error: Expected Name, found <EOF>.',
  }),
  ...Object.entries({
    'Cannot query field "password" on type "Viewer".': '{ viewer { password } }',
    'Cannot query field "nothing" on type "Query".': '{ nothing }',
    'Field "x" is not defined by type "UpdateJobInput".':
      'mutation { updateJob(input: { jobPublicId: "a", x: 1 }) { job { name } } }',
    'Expected value of type "UpdateJobInput!", found 1.':
      'mutation { ...inside } fragment inside on Mutation { updateJob(input: 1) { job { name } } }',
    'Cannot spread fragment "inside" within itself.':
      'mutation { ...inside } fragment inside on Mutation { ...inside }',
    'The schema has no subscriptions.': 'subscription { job { name } }',
  }).map(([message, query]) => misfit(message, [document(query)])),
  misfit(
    'Variable "$id" got an invalid value; String cannot represent a non string value: 5',
    [document('query ($id: String!) { job(publicId: $id) { name } }', { id: 5 })],
    { fields: [['publicId', 'public_id-must-be-string', 'type']] },
  ),
  misfit(
    'Variable "$input" got an invalid value; Field "jobPublicId" of required type "String!" was not provided.',
    [document(updateJob, { input: {} })],
    { fields: [['input.jobPublicId', 'missing-job_public_id', 'missing']] },
  ),
  misfit(
    'Variable "$input" of required type "UpdateCompanyInput!" was not provided.',
    [document(updateCompany)],
    { fields: [['input', 'missing-input', 'missing']] },
  ),
  misfit(
    'Variable "$input" got an invalid value at "input.logo"; send the file as multipart/form-data (GraphQL multipart request specification), since JSON cannot hold a file',
    [{}, 'AAAA'].map((logo) => document(updateCompany, { input: { ...ofCompany, logo } })),
    { fields: [['input.logo', 'logo-must-be-file', 'type']] },
  ),
  misfit('Argument "dryRun" of non-null type "Boolean!" must not be null.', [
    document(
      'mutation ($dryRun: Boolean = false) { updateJob(input: { jobPublicId: "acme-backend-engineer" }, dryRun: $dryRun) { job { name } } }',
      { dryRun: null },
    ),
  ]),
];
