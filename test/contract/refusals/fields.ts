import * as to from './requests.js';
import { type More, type Refusal, refusal } from './refusal.js';

const { job, company, json, urlencoded, document, form, updateJob, updateCompany, ofCompany, ofJob } = to;

const invalid = (
  title: string,
  faults: NonNullable<Refusal['faults']>,
  sent: Refusal['sent'],
  more: More = {},
) => refusal('validation-failed', title, sent, { faults, ...more });

const long = 'n'.repeat(50);

export const faultyFields: readonly Refusal[] = [
  invalid(
    'two fields (Contract 7.8)',
    [
      [
        'contract_id',
        'contract_id-not-found',
        'This field does not match any record.',
        'Ce champ ne correspond à aucun enregistrement.',
      ],
      [
        'salary',
        'salary-too-long',
        'This field must have at most 30 characters.',
        'Ce champ ne doit pas dépasser 30 caractères.',
      ],
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
  ...(
    [
      ['nothing;health;retial', ': nothing, retial', [0, 2]],
      [`health;${long}`, `: ${long.slice(0, 40)}…`, [1]],
      [';', '', [0]],
    ] as const
  ).map(([sector_id, unknown, elements]) =>
    invalid(
      `the unknown ids in ${sector_id} (Contract 4.1.4.2, 8.6.8)`,
      [
        [
          'sector_id',
          'sector_id-not-found',
          `This field does not match any record${unknown}.`,
          `Ce champ ne correspond à aucun enregistrement${unknown.replace(':', ' :')}.`,
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
    'a blank list of e-mail addresses, with how to empty the list (Contract 4.2.11.1)',
    [
      [
        'manager_emails',
        'manager_emails-format-error',
        'This field must be e-mail addresses, as a list or separated by ;; to empty the list, add [] to the field’s name in a form, or send [] in JSON.',
        'Ce champ doit être des adresses e-mail, en liste ou séparées par ; ; pour vider la liste, ajoutez [] au nom du champ dans un formulaire, ou envoyez [] en JSON.',
      ],
    ],
    [to.rest(job, urlencoded, form({ manager_emails: '' }))],
  ),
  invalid(
    'a logo in JSON, with how to send a file (Contract 4.1.7)',
    [
      [
        'logo',
        'logo-must-be-file',
        'This field must be a file, sent as multipart/form-data.',
        'Ce champ doit être un fichier, envoyé en multipart/form-data.',
      ],
    ],
    [to.rest(company, json, JSON.stringify({ ...to.ids, logo: 'AAAA' }))],
  ),
  invalid(
    'a sector_id that is not a text (Contract 4.3.2)',
    [['sector_id', 'sector_id-must-be-string', 'This field must be a string.']],
    [3, false, ['health', 'retail'], { a: 'b' }].map((sector_id) =>
      to.rest(company, json, JSON.stringify({ ...to.ids, sector_id })),
    ),
  ),
  invalid(
    'a company that the query string names twice, even the same one (Contract 4.1.5.2)',
    [['company_public_id', 'company_public_id-must-be-string', 'This field must be a string.']],
    ['company-public-id=acme', 'company_public_id=acme', 'company-public-id=nobody'].map((other) =>
      to.rest(`${company}?company-public-id=acme&${other}`, urlencoded, 'media_public_id=demo-media'),
    ),
  ),
  invalid(
    'missing identifiers, after a unit is spent (Contract 7.6.1)',
    [['company_public_id', 'missing-company_public_id', 'This field is required.']],
    [
      to.rest(job, urlencoded, form({ company_public_id: '' })),
      to.rest(company, json, '{"media_public_id":"demo-media"}'),
    ],
  ),
  invalid(
    'a malformed idempotency key',
    [
      [
        'idempotency_key',
        'idempotency_key-format-error',
        'This field must be 1 to 255 visible ASCII characters.',
      ],
    ],
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
    'The document asks for too much: it has a name of more than 128 characters.': `{ ${'a'.repeat(129)}: __typename }`,
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
  // Only execution finds that a variable with a default is null.
  misfit(
    'Argument "dryRun" of non-null type "Boolean!" must not be null.',
    [
      document(
        'mutation ($dryRun: Boolean = false) { updateJob(input: { jobPublicId: "acme-backend-engineer" }, dryRun: $dryRun) { job { name } } }',
        { dryRun: null },
      ),
    ],
    { field: 'updateJob' },
  ),
];
