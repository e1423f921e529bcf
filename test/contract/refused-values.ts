import { demoReferenceId } from '../support/demo-references.js';
import { withEnd } from '../support/reset-records.js';
import { astral } from './parity/parity-case.js';

/** A wrong value: it has exactly these faults over GraphQL, JSON and forms, and changes nothing. */
export interface RefusedValue {
  operation: 'updateJob' | 'updateCompany';
  field: string;
  value: unknown;
  faults: readonly string[];
  /** Over GraphQL, where a type gives an enum or the element of a list another fault. */
  inGraphQL?: readonly string[];
  /** Sent too. A field given as undefined is left out. */
  beside?: Record<string, unknown>;
  /** Stored in the record before the request, by dotted path. */
  before?: Record<string, unknown>;
  /** The pairs that a form sends for the field, if they are not `field=value`. */
  form?: readonly (readonly [string, string])[];
  /** Default: each API that can send the value. */
  apis?: readonly ('form' | 'json' | 'graphql')[];
  /** The statements that the value proves. */
  because: string;
}

type More = Pick<RefusedValue, 'inGraphQL' | 'beside' | 'before' | 'form' | 'apis'>;

const rowsOf =
  (operation: RefusedValue['operation']) =>
  (
    field: string,
    fault: string | readonly string[],
    values: readonly unknown[],
    because: string,
    more: More = {},
  ): RefusedValue[] =>
    values.map((value) => ({ operation, field, value, faults: [fault].flat(), because, ...more }));

const job = rowsOf('updateJob');
const company = rowsOf('updateCompany');

const blank = ['', ' \u00a0\n'];
const notTexts = [3, false, ['a', 'b'], { a: 'b' }];
const unreadable = ['a\0b', 'a\vb', 'a\fb', 'a\u007fb', 'a\u0085b', 'a\ud800b'];
const comment = (length: number) => `<p>Kept</p><!--${'x'.repeat(length - '<p>Kept</p><!---->'.length)}-->`;
const noUrls = [
  ...['a.example', '/apply', '//a.example', 'ftp://a.example/x', 'javascript:alert(1)', 'data:,x'],
  ...['http:a.example', 'xhttps://a.example', 'https://', 'https:///a.com', 'https://?a.com', 'https://..'],
  ...['https://a..com', 'https://.a.com', 'https://good.com@evil.com', 'https://name:secret@a.example/x'],
  ...['https://good.com\\@evil.com', 'https://[', 'https://a b', 'x https://a', 'https://a.example/\n x'],
  ...['https://a\u200b.example', 'https://a.example/\u00adb', 'https://\u202ea.example'],
];
const longestUrl = `https://a.example/${'é'.repeat(2_048 - 'https://a.example/'.length)}`;

const apply = 'https://careers.acme.example/apply';
const external = { applicationMethod: 'external_apply', applicationUrl: apply };
const application = [
  ...job(
    'application_method',
    'application_method-format-error',
    ['', '  ', 'by_post', 'EXTERNAL_APPLY'],
    '(Contract 5.4.2)',
  ),
  ...job('application_method', 'application_method-must-be-string', [1], '(Contract 5.1.3)', {
    inGraphQL: ['application_method-format-error'],
  }),
  ...job('application_method', 'application_method-must-be-string', [null], '(Contract 5.1.6)'),
  ...job('application_method', 'missing-application_url', ['external_apply'], '(Contract 5.4.6)'),
  ...job('salary', 'missing-application_url', ['1'], '(Contract 5.4.6)', {
    before: { applicationMethod: 'external_apply' },
  }),
  ...job('application_url', 'application_url-format-error', noUrls, '(Contract 5.1.9)'),
  ...job('application_url', 'application_url-format-error', blank, '(Contract 5.1.7)', { before: external }),
  ...job('application_url', 'application_url-format-error', [''], '(Contract 5.4.6)', {
    beside: { application_method: 'external_apply' },
  }),
  ...job('application_url', 'application_url-too-long', [`${longestUrl}é`], '(Contract 5.4.2)'),
  ...job('application_url', 'application_url-must-be-string', [null], '(Contract 5.1.6)', {
    before: external,
  }),
  ...job('application_url', 'application_url-must-be-string', [null], '(Contract 5.1.6, 5.4.6)', {
    before: { applicationUrl: apply },
    beside: { application_method: 'external_apply' },
  }),
];

const address = 'a@one.example';
const noAddresses = [
  ...['', '  ', ';', 'nobody', 'a@', '@b.fr', 'a@b', 'a@b.f', 'a@@b.fr', 'a b@c.fr', 'a,b@c.fr', '"a"@b.fr'],
  ...['a@b.fr,c@d.fr', '<a@b.fr>', 'mailto:a@b.fr', 'a@b.fr;c', 'a＠b@c.fr', 'a@b.fr\u0000', 'a\v@b.fr'],
  ...[
    'a\ud800@b.fr',
    '.a@b.fr',
    'a.@b.fr',
    'a..b@c.fr',
    'a@.b.fr',
    'a@b..fr',
    'a@b.fr.',
    'a@-b.fr',
    'a@b-.fr',
  ],
  ...[
    '\u200ba@b.fr',
    'a\u00adb@c.fr',
    'a@\u200d.fr',
    `${'é'.repeat(123)}@b.example`,
    `${'a'.repeat(250)}@b.fr`,
  ],
];
const emails = [
  ...job('manager_emails', 'manager_emails-format-error', noAddresses, '(Contract 5.1.7, 5.4.7)'),
  ...job(
    'manager_emails',
    'manager_emails-format-error',
    [
      ['', ''],
      [address, 'nobody'],
    ],
    '(Contract 5.4.7)',
  ),
  ...['[0]', '[]'].flatMap((brackets) =>
    job('manager_emails', 'manager_emails-format-error', [' '], '(Contract 5.1.3)', {
      apis: ['form'],
      form: [[`manager_emails${brackets}`, ' ']],
    }),
  ),
  ...job('manager_emails', 'manager_emails-format-error', [''], '(Contract 5.1.3)', {
    apis: ['form'],
    form: Array(2).fill(['manager_emails[]', '']) as [string, string][],
  }),
  ...job(
    'manager_emails',
    'manager_emails-too-long',
    [[1, 2, 3, 4, 5].map((each) => `${each}@b.fr`), '1@b.fr;2@b.fr;3@b.fr;4@b.fr;5@b.fr'],
    '(Contract 5.4.7)',
  ),
  ...job(
    'manager_emails',
    'manager_emails-must-be-array-of-strings',
    [7, { email: address }],
    '(Contract 5.1.3)',
  ),
  ...job('manager_emails', 'manager_emails-must-be-array-of-strings', [[address, 7]], '(Contract 5.1.3)', {
    inGraphQL: ['manager_emails-must-be-string'],
  }),
  ...job('manager_emails', 'manager_emails-must-be-array-of-strings', [[address, null]], '(Contract 5.1.3)', {
    inGraphQL: ['missing-manager_emails'],
  }),
  ...job('recruiter_emails', 'recruiter_emails-format-error', ['nobody'], '(Contract 5.4.7)'),
];

const paid = { salary_minimum: '1', salary_maximum: '2', salary_currency: 'EUR', salary_period: 'year' };
const noAmounts = [
  ...['100000000', '99999999.01', '-1', '1.234', '1,5', '1e3', '0x10', '.5', '5.', 'NaN', '１', '1 000'],
  ...[1e21, -0.5, 0.001, 1e-7],
];
const pay = [
  ...job('salary_maximum', 'salary_maximum-format-error', noAmounts, '(Contract 5.8.2)', { beside: paid }),
  ...job('salary_minimum', 'salary_minimum-must-be-decimal', [['1', '2'], true], '(Contract 5.1.3)', {
    beside: paid,
  }),
  ...job(
    'salary_currency',
    'salary_currency-format-error',
    ['eur', 'EURO', 'XXX', '€', 'constructor'],
    '(Contract 5.8.2)',
    {
      beside: paid,
    },
  ),
  ...job('salary_period', 'salary_period-format-error', ['Year', 'decade'], '(Contract 5.8.2)', {
    beside: paid,
  }),
  ...job('salary_minimum', ['missing-salary_currency', 'missing-salary_period'], ['1'], '(Contract 5.8.3)'),
  ...job(
    'salary_currency',
    ['missing-salary_minimum', 'missing-salary_maximum'],
    ['EUR'],
    '(Contract 5.8.3)',
    {
      beside: { salary_period: 'day' },
    },
  ),
  ...job('salary_minimum', 'salary_minimum-format-error', ['10'], '(Contract 5.8.3)', {
    beside: { ...paid, salary_maximum: '9.99' },
  }),
  ...job(
    'salary_minimum',
    ['salary_minimum-format-error', 'salary_currency-format-error'],
    ['a'],
    '(Contract 5.8.3, 7.4.1)',
    {
      beside: { salary_currency: 'b', salary_period: 'day' },
    },
  ),
];

const publishedJob = withEnd({ state: 'published', publishedAt: new Date(Date.now() - 86_400_000) });
const noInstants = [
  ...['', 'soon', 'tomorrow', '2026-02-30', '2026-02-03T10:00:00', '2026-2-10', '2026-02-10T25:00:00Z'],
  '20260210',
];

const ofJob: readonly RefusedValue[] = [
  ...job('media_public_id', 'missing-media_public_id', ['', '  '], '(Contract 5.4.2)'),
  ...job('media_public_id', 'media_public_id-must-be-string', [5], '(Contract 5.4.2)'),
  ...job('company_public_id', 'missing-company_public_id', ['', '  '], '(Contract 5.4.2)'),
  ...job(
    'company_public_id',
    'company_public_id-must-be-string',
    [['acme', 'acme']],
    '(Contract 5.1.3, 5.4.2)',
  ),
  ...job(
    'media_public_id',
    ['media_public_id-must-be-string', 'company_public_id-must-be-string'],
    [null],
    '(Contract 5.4.2)',
    {
      // GraphQL takes null for an identifier that is not sent.
      apis: ['json'],
      beside: { company_public_id: null },
    },
  ),
  ...job('salary', 'salary-must-be-string', notTexts, '(Contract 5.1.3, 7.4.2)'),
  ...job('salary', 'salary-too-long', [astral(31), 'x'.repeat(31)], '(Contract 5.1.8, 5.4.2)'),
  ...job('salary', 'salary-format-error', unreadable, '(Contract 5.1.8, 7.4.2)'),
  ...job('localisation', 'localisation-must-be-string', [{ city: 'Lyon' }], '(Contract 5.1.3)'),
  ...job('localisation', 'localisation-too-long', [astral(256)], '(Contract 5.4.2)'),
  ...job('description_job', 'description_job-must-be-string', [true], '(Contract 5.1.3, 7.4.2)'),
  ...job(
    'description_job',
    'description_job-too-long',
    [astral(20_001 - '<p></p>'.length), comment(100_001), `${'<b>'.repeat(101)}x`],
    '(Contract 5.1.8, 5.4.2)',
  ),
  ...['company', 'profile', 'benefits', 'process'].flatMap((part) =>
    job(`description_${part}`, `description_${part}-too-long`, ['x'.repeat(20_001)], '(Contract 5.4.2)'),
  ),
  ...job(
    'contract_id',
    'contract_id-not-found',
    [
      'nothing',
      'INTERNSHIP',
      'f'.repeat(24),
      'from_5000',
      demoReferenceId('sector', 'software').toHexString(),
    ],
    '(Contract 5.4.5)',
  ),
  ...job('contract_id', 'contract_id-format-error', blank, '(Contract 5.1.7)'),
  ...job('contract_id', 'contract_id-must-be-string', [7], '(Contract 5.1.3)'),
  ...['job_category', 'worktime', 'remote_policy', 'education', 'experience'].flatMap((kind) => [
    ...job(`${kind}_id`, `${kind}_id-not-found`, ['nothing'], '(Contract 5.4.5)'),
    ...job(`${kind}_id`, `${kind}_id-format-error`, [''], '(Contract 5.1.7)'),
  ]),
  ...job('state', 'state-format-error', ['', ' ', 'open', 'PUBLISHED'], '(Contract 2.5.1)'),
  ...job('state', 'state-must-be-string', [['published', 'archived']], '(Contract 5.1.3)', {
    inGraphQL: ['state-format-error'],
  }),
  ...job('state', 'state-must-be-string', [null], '(Contract 5.1.6)'),
  ...job('expires_at', 'expires_at-format-error', noInstants, '(Contract 5.4.8)', { before: publishedJob }),
  ...application,
  ...emails,
  ...pay,
];

const unnamed = { company_public_id: undefined };
const page = 'https://www.facebook.com/acme';
const noDomains = [
  ...['not a domain', 'ac\u200bme.example', 'localhost', '127.0.0.1', '0x7f.1', '[::1]', 'a_b.example'],
  ...['acme.example:x', 'ftp://acme.example', 'javascript:alert(1)', 'https://user:secret@acme.example'],
  ...[
    'acme..example',
    '.example',
    '-acme.example',
    'acme-.example',
    'https://',
    'acme.example\\evil.example',
  ],
  ...['//acme.example', 'https:///acme.example', 'acme\n.example', `${'a'.repeat(64)}.example`],
];
const eleven = Array.from({ length: 11 }, (_, index) => `sector-${index}`).join(';');

const ofCompany: readonly RefusedValue[] = [
  ...company('media_public_id', 'missing-media_public_id', ['', ' ', null], '(Contract 5.2.2, 7.1.2)'),
  ...company('company_public_id', 'company_public_id-must-be-string', [12, null], '(Contract 5.1.3, 5.1.6)', {
    beside: { name: 'Acme' },
  }),
  ...company('company_public_id', 'company_public_id-format-error', ['', '\t'], '(Contract 5.1.7)', {
    beside: { name: 'Acme' },
  }),
  ...company('description', 'missing-company_public_id', ['Changed.'], '(Contract 5.2.7)', {
    beside: unnamed,
  }),
  ...company('company_public_id', 'missing-company_public_id', ['', ' '], '(Contract 5.2.7)', {
    beside: { name: ' ', domain_url: '' },
  }),
  ...company(
    'media_public_id',
    ['missing-company_public_id', 'missing-media_public_id'],
    [' '],
    '(Contract 5.2.7)',
    {
      beside: unnamed,
    },
  ),
  ...company('domain_url', 'missing-company_public_id', [page], '(Contract 5.2.5, 5.2.7)', {
    beside: unnamed,
    before: { domainUrl: page, domainKey: 'facebook.com' },
  }),
  ...company(
    'domain_url',
    'domain_url-too-long',
    [`acme.example/${'a'.repeat(3_000)}`],
    '(Contract 5.2.2, 5.2.3)',
    {
      beside: unnamed,
    },
  ),
  ...company(
    'domain_url',
    'domain_url-format-error',
    ['not a domain', 'acme.example/\va'],
    '(Contract 5.2.3, 5.2.4)',
    {
      beside: unnamed,
    },
  ),
  ...company(
    'name',
    ['domain_url-format-error', 'name-format-error'],
    ['\u0301\u0301', '\u2060\u00ad'],
    '(Contract 5.2.4, 5.2.7)',
    {
      beside: { ...unnamed, domain_url: 'nonsense' },
    },
  ),
  ...company('name', 'name-too-long', [`A${'\u0301'.repeat(150)}cme`], '(Contract 5.2.2, 5.2.3)', {
    beside: unnamed,
  }),
  ...company('name', 'name-must-be-string', [...notTexts, null], '(Contract 5.1.3, 5.1.6)'),
  ...company('name', 'name-format-error', blank, '(Contract 5.1.7)'),
  ...company(
    'name',
    'name-format-error',
    ['\u0301\u0308', '\u2800\u200b', ...unreadable],
    '(Contract 5.1.8, 5.2.4)',
  ),
  ...company('name', 'name-too-long', [astral(151)], '(Contract 5.2.2)'),
  ...company('domain_url', 'domain_url-must-be-string', notTexts, '(Contract 5.1.3)'),
  ...company('domain_url', 'domain_url-format-error', [...blank, ...noDomains], '(Contract 5.1.7, 5.2.4)'),
  ...company(
    'domain_url',
    'domain_url-too-long',
    [`https://acme.example/${astral(2_028)}`],
    '(Contract 5.2.2)',
  ),
  ...company('sector_id', 'sector_id-must-be-string', notTexts, '(Contract 5.1.3)', { apis: ['json'] }),
  ...company('sector_id', 'sector_id-format-error', blank, '(Contract 5.1.7)'),
  ...company('sector_id', 'sector_id-too-long', [eleven], '(Contract 5.2.2)'),
  ...company(
    'sector_id',
    'sector_id-not-found',
    ['nothing', 'health;nothing', 'from_5000', '0'.repeat(24)],
    '(Contract 5.2.8)',
  ),
  // As a list of GraphQL, only separators would be no id at all.
  ...company('sector_id', 'sector_id-not-found', [';'], '(Contract 5.2.8)', { apis: ['form', 'json'] }),
  ...company('size_id', 'size_id-must-be-string', notTexts, '(Contract 5.1.3)'),
  ...company('size_id', 'size_id-format-error', blank, '(Contract 5.1.7)'),
  ...company(
    'size_id',
    'size_id-not-found',
    ['nothing', 'health', 'from_5000;from_1_to_9'],
    '(Contract 5.2.8)',
  ),
  ...company('description', 'description-must-be-string', notTexts, '(Contract 5.1.3)'),
  ...company('description', 'description-too-long', [astral(5_001), comment(25_001)], '(Contract 5.2.2)'),
  ...company('logo_url', 'logo_url-must-be-string', notTexts, '(Contract 5.1.3)'),
  ...company(
    'logo_url',
    'logo_url-format-error',
    [...blank, 'cdn.example/x.png', 'data:image/png;base64,AA'],
    '(Contract 5.1.7, 5.1.9)',
  ),
  ...company('logo_url', 'logo_url-too-long', [`${longestUrl}é`], '(Contract 5.2.2)'),
  ...company('logo', 'logo-must-be-file', ['', 'logo.png', null], '(Contract 5.1.6, 5.2.2)'),
];

export const refusedValues: readonly RefusedValue[] = [...ofJob, ...ofCompany];
