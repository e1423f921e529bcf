import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { buildSchema, type GraphQLInputObjectType } from 'graphql';
import { catalogue, type Language, languages } from '../../src/errors/catalogue.js';
import { warningMessages } from '../../src/fields/warning.js';
import { inputName, inputOfFields } from '../support/input-name.js';
import { ownGateway } from '../support/own-gateway.js';
import { root } from '../support/process.js';
import { graphql, rest } from '../support/requests.js';
import { names, ofJob } from '../support/updates.js';
import { type RefusedValue, refusedValues } from './refused-values.js';

const gateway = ownGateway({ ARCHIVER: 'off', UPDATE_JOB_QUOTA: '1000000/1s', MUTATION_QUOTA: '1000000/1s' });
let token: string;
beforeAll(async () => void (token = await gateway.token()));

type Sent = Pick<RefusedValue, 'operation' | 'field' | 'value' | 'beside' | 'form'>;

/** A fault as an API tells it: REST names its field, GraphQL its path and reason. */
interface Told {
  field?: string;
  path?: string[];
  code: string;
  reason?: string;
  message: string;
  parameters?: object;
}

const operations = {
  updateJob: { method: 'POST', path: `/jobs/${ofJob.jobPublicId}`, type: 'UpdateJobInput', shown: 'job' },
  updateCompany: { method: 'PATCH', path: '/companies', type: 'UpdateCompanyInput', shown: 'company' },
};
const documentOf = (operation: RefusedValue['operation']) => {
  const { type, shown } = operations[operation];
  return `mutation ($input: ${type}!) { ${operation}(input: $input) { ${shown} { version } } }`;
};

const fieldsOf = ({ field, value, beside }: Sent) =>
  Object.fromEntries(
    Object.entries({ ...names, ...beside, [field]: value }).filter(([, each]) => each !== undefined),
  );

const isText = (value: unknown): boolean =>
  typeof value === 'string' && Buffer.from(value).toString() === value;
const fitsForm = ({ form, ...sent }: Sent): boolean =>
  form !== undefined || Object.values(fieldsOf(sent)).every((value) => [value].flat().every(isText));

const apis = {
  json: (sent: Sent, language: Language) => overRest(sent, language, { json: fieldsOf(sent) }),
  form: (sent: Sent, language: Language) => {
    const plain = Object.entries(fieldsOf(sent)).filter(([name]) => !sent.form || name !== sent.field);
    const pairs = plain.flatMap(([name, value]) =>
      [value].flat().map((each): [string, string] => [name, String(each)]),
    );
    return overRest(sent, language, { form: [...pairs, ...(sent.form ?? [])] as [string, string][] });
  },
  graphql: async (sent: Sent, language: Language) => {
    const input = {
      ...inputOfFields(fieldsOf(sent)),
      ...(sent.operation === 'updateJob' && { jobPublicId: ofJob.jobPublicId }),
    };
    const options = { token, headers: { 'accept-language': language } };
    const { body } = await graphql(gateway, documentOf(sent.operation), { input }, options);
    const told = (body.errors ?? []).flatMap(({ extensions }) => extensions.fields ?? []);
    return { code: body.errors?.[0]?.extensions.error, told: told as Told[] };
  },
};
type Api = keyof typeof apis;

async function overRest({ operation }: Sent, language: Language, body: Parameters<typeof rest>[3]) {
  const { method, path } = operations[operation];
  const { status, body: reply } = await rest(gateway, method, path, body, {
    token,
    headers: { 'accept-language': language },
  });
  expect(reply.status).toBe(status);
  return { code: reply.error, told: (reply.errors ?? []) as Told[] };
}

/** As a text, which is compared in a tenth of the time. */
const recordsNow = async () =>
  JSON.stringify([
    await gateway.models.jobs.collection.find().toArray(),
    await gateway.models.companies.collection.find().toArray(),
  ]);

/** Words in snake case or camel case, but not the values of an enum. */
const machineNamesIn = (message: string) =>
  (message.match(/\b[a-z]+_\w+|\b[a-z]+[A-Z]\w*/g) ?? []).filter((word) => !/_apply$/.test(word));

/** The reason that GraphQL gives for a fault. */
function reasonOf(code: string, { value, field }: Sent): string {
  if (code.startsWith('missing-')) return 'missing';
  if (code.includes('-must-be-')) return value === null ? 'not_clearable' : 'type';
  if (code.endsWith('-not-found')) return 'not_found';
  const isList = /_emails$|^sector_id$/.test(field);
  return code.endsWith('-too-long') ? (isList ? 'too_many' : 'too_long') : 'format';
}

const fieldOf = (code: string) =>
  code.replace(/^missing-|-(must-be-.*|format-error|too-long|not-found)$/g, '');

/** Where the input of GraphQL has the field of a fault. */
function pathOf(code: string): string[] {
  const field = fieldOf(code);
  if (field === 'sector_id') return ['input', 'sectorIds'];
  const [, part] = /^salary_(.*)/.exec(field) ?? [];
  return ['input', ...(part ? ['salaryRange', part] : [inputName(field)])];
}

const rows = new Map<string, RefusedValue[]>();
for (const row of refusedValues) {
  const title = `${row.operation}: ${row.field} has ${row.faults.join(' and ')} ${row.because}`;
  rows.set(title, [...(rows.get(title) ?? []), row]);
}

describe('a value that an update refuses over GraphQL, JSON and forms (Contract 1.2, 7.4.1, 7.4.2, 7.4.3)', () => {
  afterEach(() => gateway.reset());

  it.each([...rows])('%s', async (_title, refused) => {
    for (const [index, { before, faults, inGraphQL = faults, apis: some, ...sent }] of refused.entries()) {
      const { models } = gateway;
      const own = sent.operation === 'updateJob' ? models.jobs : models.companies;
      const publicId = sent.operation === 'updateJob' ? ofJob.jobPublicId : 'acme';
      if (before) await own.collection.updateOne({ publicId }, { $set: before });
      const stored = await recordsNow();
      const fitting = some ?? (['json', 'graphql', ...(fitsForm(sent) ? ['form'] : [])] as Api[]);
      // The first value of a row goes over each API, and the others over one in turn.
      for (const api of index === 0 ? fitting : [fitting[index % fitting.length]!]) {
        const language = languages[index % languages.length]!;
        const { code, told } = await apis[api](sent, language);
        const expected = api === 'graphql' ? inGraphQL : faults;
        // GraphQL has a fault for each element of a list.
        expect({
          api,
          value: sent.value,
          code,
          faults: [...new Set(told.map((each) => each.code))].sort(),
        }).toEqual({
          ...{ api, value: sent.value, code: 'validation-failed', faults: [...expected].sort() },
        });
        for (const { code: fault, field, path, reason, message } of told) {
          const machineNames = machineNamesIn(message.replace(String(sent.value), ''));
          expect([message, machineNames]).toEqual([expect.stringMatching(/^\p{Lu}.*\.$/u), []]);
          if (api === 'graphql')
            expect([fault, path?.slice(0, pathOf(fault).length), reason]).toEqual([
              ...[fault, pathOf(fault), reasonOf(fault, sent)],
            ]);
          else expect(field).toBe(fieldOf(fault));
        }
        expect(await recordsNow()).toBe(stored);
      }
    }
  });

  it.each(['updateJob', 'updateCompany'] as const)(
    '%s has a row for each of its fields (Contract 5.2.2, 5.4.2)',
    (operation) => {
      const schema = buildSchema(readFileSync(`${root}schema/schema.graphql`, 'utf8'));
      const inputs = (schema.getType(operations[operation].type) as GraphQLInputObjectType).getFields();
      const tried = new Set(
        refusedValues.flatMap((row) =>
          row.operation === operation ? pathOf(`missing-${row.field}`)[1] : [],
        ),
      );
      // The path has the id of a job, and its name is never refused.
      const untried = Object.keys(inputs).filter((name) => !tried.has(name));
      expect(untried).toEqual(operation === 'updateJob' ? ['jobPublicId', 'name'] : []);
    },
  );
});

type Texts = readonly [en: string, fr: string];

/** The fault of a value, with its message. */
const whole: readonly (readonly [
  field: string,
  value: unknown,
  code: string,
  message: Texts,
  parameters?: object,
  overRest?: Texts,
])[] = [
  [
    ...(['salary', 'x'.repeat(31), 'salary-too-long'] as const),
    ['Enter at most 30 characters.', 'Saisissez au plus 30 caractères.'],
    { maximumLength: 30 },
  ],
  [
    ...(['description_job', 'x'.repeat(100_001), 'description_job-too-long'] as const),
    [
      'Enter at most 100 000 characters before it is cleaned.',
      'Saisissez au plus 100 000 caractères avant d’être nettoyé.',
    ],
    { maximumRawLength: 100_000 },
  ],
  [
    ...(['description_job', '<b>'.repeat(101), 'description_job-too-long'] as const),
    ['Enter at most 100 levels of nested tags.', 'Saisissez au plus 100 niveaux de balises imbriquées.'],
    { maximumDepth: 100 },
  ],
  [
    ...(['manager_emails', '1@b.fr;2@b.fr;3@b.fr;4@b.fr;5@b.fr', 'manager_emails-too-long'] as const),
    ['Enter at most 4 addresses.', 'Saisissez au plus 4 adresses.'],
    { maximumItems: 4 },
  ],
  [
    ...(['contract_id', 'nothing', 'contract_id-not-found'] as const),
    ['This choice does not exist.', 'Ce choix n’existe pas.'],
  ],
  [
    ...(['contract_id', ' ', 'contract_id-format-error'] as const),
    ['This field cannot be empty.', 'Ce champ ne peut pas être vide.'],
  ],
  [
    ...(['salary', 'a\0', 'salary-format-error'] as const),
    [
      'Remove control characters and broken characters.',
      'Retirez les caractères de contrôle et les caractères incomplets.',
    ],
  ],
  [
    ...(['application_url', 'nowhere', 'application_url-format-error'] as const),
    ['Enter an http or https URL.', 'Saisissez une URL http ou https.'],
  ],
  [
    ...(['manager_emails', ' ', 'manager_emails-format-error'] as const),
    ['Enter an e-mail address.', 'Saisissez une adresse e-mail.'],
  ],
  [
    ...(['salary_maximum', '100000000', 'salary_maximum-format-error'] as const),
    [
      'Enter an amount from 0 to 99 999 999 with at most two decimals.',
      'Saisissez un montant de 0 à 99 999 999 avec au plus deux décimales.',
    ],
    { minimum: 0, maximum: 99_999_999 },
  ],
  [
    ...(['state', 'gone', 'state-format-error'] as const),
    [
      'Choose one of these: “Draft”, “Published”, “Archived”.',
      'Choisissez parmi : « Brouillon », « Publiée », « Archivée ».',
    ],
    { allowed: ['draft', 'published', 'archived'] },
    // REST takes the values as they are, and GraphQL forms show labels.
    [
      'Choose one of these: “draft”, “published”, “archived”.',
      'Choisissez parmi : « draft », « published », « archived ».',
    ],
  ],
  [...(['salary', 5, 'salary-must-be-string'] as const), ['Enter a text.', 'Saisissez un texte.']],
  [
    ...(['state', null, 'state-must-be-string'] as const),
    ['This field cannot be empty.', 'Ce champ ne peut pas être vide.'],
  ],
  [
    ...(['salary_period', null, 'missing-salary_period'] as const),
    ['This field is required.', 'Ce champ est obligatoire.'],
  ],
  [...(['logo', 'AAAA', 'logo-must-be-file'] as const), ['Choose a file.', 'Choisissez un fichier.']],
];

describe('the whole fault in both languages (Contract 7.2.2, 7.2.4, 7.4.3, 7.4.4)', () => {
  it.each(whole.map((row) => [row[0], row] as const))('of a wrong %s', async (_field, row) => {
    const [field, value, code, messages, parameters, overRest = messages] = row;
    const paid = { salary_minimum: '1', salary_currency: 'EUR', salary_period: 'year' };
    const beside = field.startsWith('salary_') ? paid : {};
    const sent: Sent = { operation: field === 'logo' ? 'updateCompany' : 'updateJob', field, value, beside };
    for (const [at, language] of (['en', 'fr'] as const).entries()) {
      const message = messages[at];
      const more = parameters && { parameters };
      expect((await apis.json(sent, language)).told).toEqual([
        { field, code, message: overRest[at], ...more },
      ]);
      expect((await apis.graphql(sent, language)).told).toEqual([
        { path: pathOf(code), code, reason: reasonOf(code, sent), message, ...more },
      ]);
    }
  });

  it('of an end that is too late, with the latest one (Contract 5.4.8)', async () => {
    const publishedAt = new Date('2025-12-27T02:22:38.136Z');
    await gateway.models.jobs.updateOne({ publicId: ofJob.jobPublicId }, { publishedAt });
    const late: Sent = { operation: 'updateJob', field: 'expires_at', value: '2999-01-01' };
    const parameters = { maximum: '2026-03-27T02:22:38.136Z' };
    const messages = {
      en: 'Enter a date or time after now, at the latest 27 March 2026 at 02:22:38 UTC.',
      fr: 'Saisissez une date ou une heure à venir, au plus tard le 27 mars 2026 à 02:22:38 UTC.',
    };
    for (const language of languages) {
      const told = [{ message: messages[language], parameters }];
      expect((await apis.graphql(late, language)).told).toMatchObject(told);
      expect((await apis.json(late, language)).told).toMatchObject(told);
    }
    await gateway.reset();
  });
});

it('no message of the catalogue or of a warning has the name of a field (Contract 7.4.4)', () => {
  const all = [...Object.values(catalogue).map(({ message }) => message), ...Object.values(warningMessages)];
  expect(all.flatMap(({ en, fr }) => machineNamesIn(`${en} ${fr}`))).toEqual([]);
});

describe('all faults of an update at once (Contract 7.4.1)', () => {
  const text = 'x'.repeat(100_001);
  const faulty: Record<
    RefusedValue['operation'],
    Record<string, readonly [value: unknown, fault: string]>
  > = {
    updateJob: {
      ...Object.fromEntries(
        ['company', 'job', 'profile', 'benefits', 'process'].map((part) => [
          `description_${part}`,
          [text, 'too-long'],
        ]),
      ),
      ...Object.fromEntries(
        ['contract', 'job_category', 'worktime', 'remote_policy', 'education', 'experience'].map((kind) => [
          `${kind}_id`,
          ['nothing', 'not-found'],
        ]),
      ),
      state: [null, 'must-be-string'],
      application_method: [null, 'must-be-string'],
      application_url: ['nowhere', 'format-error'],
      expires_at: ['tomorrow', 'format-error'],
      salary: [text, 'too-long'],
      salary_minimum: ['12.345', 'format-error'],
      salary_maximum: ['-1', 'format-error'],
      salary_currency: ['none', 'format-error'],
      localisation: [text, 'too-long'],
      manager_emails: ['nobody', 'format-error'],
      recruiter_emails: ['nobody', 'format-error'],
    },
    updateCompany: {
      name: ['x'.repeat(151), 'too-long'],
      domain_url: ['nowhere', 'format-error'],
      sector_id: ['\t', 'format-error'],
      size_id: ['nothing', 'not-found'],
      description: [text, 'too-long'],
      logo_url: ['nowhere', 'format-error'],
    },
  };
  it.each(['updateJob', 'updateCompany'] as const)('%s', async (operation) => {
    const values = Object.fromEntries(
      Object.entries(faulty[operation]).map(([name, [value]]) => [name, value]),
    );
    const codes = Object.entries(faulty[operation]).map(([name, [, fault]]) => `${name}-${fault}`);
    // GraphQL requires the period of a range.
    const beside = { ...values, ...(operation === 'updateJob' && { salary_period: 'day' }) };
    const stored = await recordsNow();
    for (const api of ['json', 'graphql'] as const) {
      const { told } = await apis[api](
        { operation, field: 'media_public_id', value: 'demo-media', beside },
        'en',
      );
      expect(told.map(({ code }) => code).sort()).toEqual(codes.sort());
    }
    expect(await recordsNow()).toBe(stored);
  });
});

const overGraphQL = async (given: object, document = documentOf('updateCompany')) => {
  const input = { mediaPublicId: 'demo-media', ...given };
  const { body } = await graphql(gateway, document, { input }, { token });
  return body.errors?.[0];
};

describe('sectorIds, the list of GraphQL (Contract 5.2.2, 7.4.3)', () => {
  const ofAcme = { companyPublicId: 'acme' };
  it.each<[unknown, readonly [path: string, code: string, message: string][]]>([
    [
      ['a', '', 'health', 'b'],
      [
        ['0', 'sector_id-not-found', 'This choice does not exist: a.'],
        ['1', 'sector_id-format-error', 'This field cannot be empty.'],
        ['3', 'sector_id-not-found', 'This choice does not exist: b.'],
      ],
    ],
    [['health;retail'], [['0', 'sector_id-not-found', 'This choice does not exist: health;retail.']]],
    [Array(300).fill('health'), [['', 'sector_id-too-long', 'Enter at most 10 records.']]],
    [['health', null], [['1', 'missing-sector_id', 'This field is required.']]],
  ])('%j has the faults of its elements', async (sectorIds, expected) => {
    const { extensions: { fields = [] } = {} } = (await overGraphQL({ ...ofAcme, sectorIds })) ?? {};
    expect(fields.map(({ path, code, message }) => [path.slice(2).join('.'), code, message])).toEqual(
      expected,
    );
  });

  it('is cleared by null and by [] (Contract 5.1.6)', async () => {
    const sectors = async () =>
      (await gateway.models.companies.findOne({ publicId: 'acme' }).orFail()).sectors;
    for (const sectorIds of [null, []]) {
      expect(await overGraphQL({ ...ofAcme, sectorIds: ['retail', 'health'] })).toBeUndefined();
      expect(await sectors()).toHaveLength(2);
      expect(await overGraphQL({ ...ofAcme, sectorIds })).toBeUndefined();
      expect(await sectors()).toHaveLength(0);
    }
    await gateway.reset();
  });
});

it('a variable inside an argument has the path of the argument (Contract 7.4.3)', async () => {
  const document =
    'mutation ($pay: [String!]) { updateJob(input: { jobPublicId: "acme-backend-engineer", managerEmails: $pay }) { job { version } } }';
  const { body } = await graphql(gateway, document, { pay: [1] }, { token });
  expect(body.errors?.[0]?.extensions.fields?.[0]?.path).toEqual(['input', 'managerEmails', '0']);
});

describe('fields of a refusal with a code of its own (Contract 7.4.5)', () => {
  it('are every new name or domain of company-already-existed', async () => {
    const told = async (given: object) =>
      (await overGraphQL(given))?.extensions.fields?.map(({ path, code, reason }) => [path[1], code, reason]);
    const [name, domain] = ['name', 'domainUrl'].map((field) => [
      field,
      'company-already-existed',
      'conflict',
    ]);
    const acme = { companyPublicId: 'acme' };
    expect(await told({ ...acme, name: 'Globex', domainUrl: 'new.example' })).toEqual([name, domain]);
    expect(await told({ ...acme, name: 'New', domainUrl: 'globex.example' })).toEqual([name, domain]);
    expect(await told({ ...acme, name: 'Globex', domainUrl: 'acme.example' })).toEqual([name]);
    expect(await told({ name: 'Initech', domainUrl: 'new.example' })).toEqual([domain, name]);
  });

  it.each([
    [
      'another company of the media has the name',
      { companyPublicId: 'acme' },
      /^Another company has this name or domain\.$/,
    ],
    ['only another media has the company', {}, /^This company already exists\. Please contact support/],
  ])('say in a dry run too that %s', async (_what, identifier, message) => {
    for (const dryRun of ['', ', dryRun: true']) {
      const document = documentOf('updateCompany').replace('$input)', `$input${dryRun})`);
      const error = await overGraphQL({ name: 'Initech', ...identifier }, document);
      const messages = [error?.message, ...(error?.extensions.fields ?? []).map((fault) => fault.message)];
      expect(messages).toEqual(Array(2).fill(expect.stringMatching(message)));
    }
  });

  it('are the states that a job can move to', async () => {
    const state: Sent = { operation: 'updateJob', field: 'state', value: 'draft' };
    const { code, told } = await apis.graphql(state, 'en');
    expect([code, told]).toEqual([
      'state-transition-not-allowed',
      [
        {
          path: ['input', 'state'],
          code: 'state-transition-not-allowed',
          reason: 'conflict',
          message: 'Choose one of these: “Archived”.',
          parameters: { allowed: ['archived'] },
        },
      ],
    ]);
  });
});
