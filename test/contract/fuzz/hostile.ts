import { type Dice, type Malformed } from './malformed.js';
import { names, ofJob } from '../../support/updates.js';

export interface Hostile extends Malformed {
  shape: string;
}

type Request = Partial<Malformed>;

/** Nearly the largest body, in bytes: the gateway refuses larger bodies unread. */
const mostUnits = 1_040_000;
const part = (name: string, text: string, rest = '') =>
  `--x\r\nContent-Disposition: form-data; name="${name}"${rest}\r\n\r\n${text}\r\n`;
const multipart = (...parts: string[]): Request => ({
  headers: { 'content-type': 'multipart/form-data; boundary=x', 'apollo-require-preflight': 'yes' },
  body: `${parts.join('')}--x--\r\n`,
});
const json = (text: string): Request => ({ headers: { 'content-type': 'application/json' }, body: text });
const form = (text: string): Request => ({
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: text,
});
const rest = (request: Request, path = '/jobs/acme-backend-engineer'): Request => ({ ...request, path });
const document = (query: string, variables: unknown = {}): Request =>
  json(JSON.stringify({ query, variables }));

const updateJob = 'mutation ($input: UpdateJobInput!) { updateJob(input: $input) { job { name } } }';
const updateCompany =
  'mutation ($input: UpdateCompanyInput!) { updateCompany(input: $input) { company { name } } }';
const formFields = 'media_public_id=demo-media&company_public_id=acme';
const jobs = 'jobs(mediaPublicId: "demo-media", first: 100) { edges { node {';

/** Texts that may take more than linear time when repeated, or grow when escaped. */
const runs = [
  ...['x', 'é', '😀', '"', '\\', '\n', '\u0000', '\u0301', ' ', '<', '<b>', '</b>', '<!--', '<style></'],
  ...['<a href="', '<p><ul><li>', '&amp;', '&#', '&', ';', ',', '.', '@', 'a@b.fr;', '漢', 'http://', '%'],
  ...['%FF', '%EF%BF', '+', '=', '[]', '{', '--x', '\r\n--', '\r\n--x\r\n', 'Did you mean ', 'eyJ', '9'],
  ...['()', '$', 'a b ', '__proto__'],
];

function text(dice: Dice, units: number): string {
  const run = dice.pick(runs) + (dice.roll(3) === 0 ? dice.pick(runs) : '');
  return run.repeat(Math.ceil(units / run.length)).slice(0, units);
}

const sizeOf = (dice: Dice): number => dice.pick([300, 20_000, 99_000, 300_000, 900_000]);
const many = (dice: Dice): number => dice.pick([10, 60, 300, 900, 5_000, 60_000]);
const times = <Made>(count: number, make: (index: number) => Made): Made[] =>
  Array.from({ length: count }, (_, index) => make(index));
const keys = (count: number, value: unknown): Record<string, unknown> =>
  Object.fromEntries(times(count, (index) => [`k${index}`, value]));
const nested = (depth: number, open: string, close: string) => open.repeat(depth) + close.repeat(depth);

const textFields = [
  ...['name', 'salary', 'localisation', 'description_company', 'description_job', 'description_profile'],
  ...['description_benefits', 'description_process', 'application_url', 'manager_emails'],
  ...['recruiter_emails', 'contract_id', 'state', 'nothing'],
];
const companyFields = ['name', 'domain_url', 'sector_id', 'size_id', 'description', 'logo_url', 'logo'];
const inputFields = ['name', 'salary', 'state', 'descriptionJob', 'descriptionCompany', 'managerEmails', 'x'];
const headerNames = [
  ...['accept', 'accept-language', 'accept-encoding', 'authorization', 'cookie', 'if-match'],
  ...['if-none-match', 'idempotency-key', 'prefer', 'x-forwarded-for', 'x-request-id', 'content-type'],
  ...['traceparent'],
];

const several = (dice: Dice, names: readonly string[]): [string, string][] => {
  const units = Math.floor(sizeOf(dice) / 4);
  return times(4, () => [dice.pick(names), text(dice, units)]);
};

const shapes: Record<string, (dice: Dice) => Request> = {
  'variables with unknown keys': (dice) =>
    document(updateJob, { input: { ...ofJob, ...keys(many(dice), dice.pick([1, 'x', [[]], {}])) } }),
  'variables with unknown keys beside a long text': (dice) =>
    document(updateJob, { input: { ...keys(many(dice), 1), salary: text(dice, sizeOf(dice)) } }),
  'variables with a long name': (dice) => document(updateJob, { input: { [text(dice, sizeOf(dice))]: 1 } }),
  'variables of another type': (dice) =>
    document(updateJob, {
      input: {
        ...ofJob,
        [dice.pick(inputFields)]: dice.pick<unknown>([
          times(many(dice), () => 1),
          keys(many(dice), 'x'),
          times(9, () => times(90, () => text(dice, 1_000))),
          1e308,
        ]),
      },
    }),
  'variables that are long texts': (dice) =>
    document(updateJob, {
      input: { ...ofJob, ...Object.fromEntries(several(dice, inputFields)), jobPublicId: 'none' },
    }),
  'variables of lists': (dice) => {
    const name = text(dice, sizeOf(dice));
    return document(
      'query ($t: String) { jobs(mediaPublicId: "demo-media", filter: { name: $t }, after: $t) { edges { cursor } } }',
      { t: name },
    );
  },
  'variables that nobody asks for': (dice) => document('{ __typename }', keys(many(dice), 'x')),
  'nested JSON': (dice) => {
    const depth = dice.pick([50, 400, 5_000, 200_000]);
    const deep = dice.roll(2) ? nested(depth, '[', ']') : `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
    return dice.roll(2)
      ? rest(json(`{"name":${deep}}`))
      : json(`{"query":"{__typename}","variables":{"a":${deep}}}`);
  },
  'many keys of JSON': (dice) => {
    const key = dice.pick([(index: number) => `k${index}`, () => 'a', (index: number) => String(index * 37)]);
    const text = `{${times(many(dice), (index) => `"${key(index)}":1`).join()},"query":"{__typename}"}`;
    return dice.roll(2) ? rest(json(text)) : json(text);
  },
  'a long number of JSON': (dice) => json(`{"a":${'9'.repeat(sizeOf(dice))}.${'9'.repeat(99)}}`),
  'JSON that ends too soon': (dice) => json(`{"query":"${text(dice, sizeOf(dice))}`),
  extensions: (dice) =>
    json(JSON.stringify({ query: '{ __typename }', extensions: keys(many(dice), { a: [1] }) })),
  'a long operation name': (dice) =>
    json(JSON.stringify({ query: 'query A { __typename }', operationName: text(dice, sizeOf(dice)) })),
  'a long literal': (dice) => {
    const long = text(dice, sizeOf(dice)).replace(/["\\\n\r]/g, 'q');
    return document(
      dice.pick([
        `{ job(publicId: "${long}") { name } }`,
        `{ jobs(mediaPublicId: "m", first: "${long}") { edges { cursor } } }`,
        `{ job(publicId: """${long}""") { name } }`,
        `{ job(publicId: [${'"a" '.repeat(900)}]) { name } }`,
        `{ job(publicId: ${nested(450, '[', ']')}) { name } }`,
        `{ jobs(first: ${'9'.repeat(sizeOf(dice))}) { edges { cursor } } }`,
        `{ job(publicId: """${'a\n'.repeat(sizeOf(dice) / 4)}""") { name } }`,
        `{ jobs(mediaPublicId: "m", first: """${' \n'.repeat(sizeOf(dice) / 4)}""") { edges { cursor } } }`,
        `{ job(publicId: "${long}`,
      ]),
    );
  },
  'a long name': (dice) => {
    const name = 'n'.repeat(sizeOf(dice));
    return document(
      dice.pick([
        `{ ${name} }`,
        `{ ...${name} }`,
        `{ __typename @${name} }`,
        `query ($${name}: Int) { __typename }`,
        `{ ... on ${name} { __typename } }`,
        `{ ${jobs} ${name}: name } } } }`,
        `query ${name} { __typename }`,
      ]),
    );
  },
  'comments and blanks': (dice) =>
    document(
      `${dice
        .pick(['#', '# ', ' ', ',', '\n', '#\n', '\t\r\n'])
        .repeat(sizeOf(dice))
        .slice(0, 450_000)}\n{ __typename }`,
    ),
  'many faults of a document': (dice) =>
    document(
      dice.pick([
        `{ ${times(990, (index) => `f${index}`).join(' ')} }`,
        `query (${times(240, (index) => `$v${index}: T${index}`).join(' ')}) { __typename }`,
        `query (${times(190, (index) => `$v${index}: Int`).join(' ')}) { __typename }`,
        'query Q { a } '.repeat(190),
        times(150, (index) => `fragment F${index % 7} on Query { ...F${index} }`).join(' '),
        `{ job(${times(240, (index) => `a${index}: 1`).join(' ')}) { name } }`,
        `{ ${times(160, () => 'job(publicId: 1) { nam }').join(' ')} }`.slice(0, 4_000),
        `{ ${times(45, (index) => `__typename @skip(if: ${index})`).join(' ')} }`,
        `{ viewer { ${'subject: roles '.repeat(15)} } }`,
        `{ ${times(15, (index) => `a${index}: viewer { subjec roles { x } }`).join(' ')} }`,
      ]),
    ),
  'the same over and over': (dice) =>
    document(
      dice.pick([
        `{ ${'viewer { subject roles } '.repeat(160)} }`,
        `{ ${`${jobs} name } } } `.repeat(40)} }`,
        `{ viewer { ${'subject '.repeat(990)} } }`,
        `{ ${'...F '.repeat(200)} } fragment F on Query { ${'viewer { subject } '.repeat(120)} }`,
        `{ ${times(30, (index) => `...S${index}`).join(' ')} } ${times(30, (index) => `fragment S${index} on Query { viewer { subject ...V } }`).join(' ')} fragment V on Viewer { roles scopes }`,
        `{ ${times(15, (index) => `a${index}: ${jobs} name managerEmails recruiterEmails } } }`).join(' ')} }`,
        `{ ${times(15, (index) => `a${index}: references(kind: sector) { id publicId name names { en fr } }`).join(' ')} }`,
        `{ ${times(15, (index) => `a${index}: __schema { types { name description fields { name description type { name ofType { name } } } } }`).join(' ')} }`,
        `{ ${times(3, (index) => `a${index}: ${jobs} name history(first: 20) { edges { node { changes { before after } } } } } } }`).join(' ')} }`,
        `{ ${jobs} name publicId state publishedAt expiresAt salary description { jobDesc companyDesc profileDesc benefitDesc processDesc } questions { questionId name ref refType title { en fr } placeholder { en fr } isRequired } location { city country zipCode } contract { name names { en fr } } worktime { name } } } } }`,
      ]),
    ),
  'JSON over REST with long texts': (dice) =>
    rest(json(JSON.stringify({ ...names, ...Object.fromEntries(several(dice, textFields)) }))),
  'JSON over REST with many fields': (dice) =>
    rest(json(JSON.stringify({ ...names, ...keys(many(dice), text(dice, 12)) }))),
  'JSON over REST with lists': (dice) =>
    rest(json(JSON.stringify({ ...names, [dice.pick(textFields)]: times(many(dice), () => text(dice, 9)) }))),
  'JSON of a company with long texts': (dice) =>
    rest(
      json(JSON.stringify({ ...names, ...Object.fromEntries(several(dice, companyFields)) })),
      '/companies',
    ),
  'JSON that names a company': (dice) =>
    rest(
      json(
        JSON.stringify({
          media_public_id: 'demo-media',
          ...Object.fromEntries(several(dice, companyFields)),
        }),
      ),
      '/companies',
    ),
  'a form with bad escapes': (dice) =>
    rest(
      form(
        `${formFields}&${times(Math.min(many(dice), 990), (index) => `a${index}=${dice.pick(['%FF', '%EF%BF%BD', '%', '%C3', '%00'])}`).join('&')}&y=${text(dice, sizeOf(dice))}`,
      ),
    ),
  'a form with many fields': (dice) =>
    rest(
      form(
        `${formFields}&${times(many(dice), (index) => dice.pick([`k${index}[]=1`, 'manager_emails[]=a@b.fr', 'a', '', `k${'[]'.repeat(index % 300)}=`])).join('&')}`,
      ),
    ),
  'a form with long texts': (dice) =>
    rest(form(`${formFields}&${new URLSearchParams(several(dice, textFields)).toString()}`)),
  'multipart over REST': (dice) =>
    rest(
      multipart(
        ...times(Math.min(many(dice), 12_000), (index) =>
          part(dice.pick(['a', `f${index}`, 'logo']), text(dice, 9), dice.pick(['', '; filename="a"'])),
        ),
      ),
      '/companies',
    ),
  'a long part over REST': (dice) =>
    rest(
      multipart(
        part(dice.pick(companyFields), text(dice, sizeOf(dice)), dice.pick(['', '; filename="a.png"'])),
        part(text(dice, 20_000).replace(/["\r\n]/g, ''), ''),
      ),
      '/companies',
    ),
  'JSON in a part over REST': (dice) =>
    rest(
      multipart(
        `--x\r\nContent-Disposition: form-data; name="name"\r\nContent-Type: application/json\r\n\r\n${JSON.stringify(keys(many(dice), 1))}\r\n`,
      ),
      '/companies',
    ),
  'boundaries and headers of parts': (dice) => {
    const path = dice.pick(['/companies', '/graphql']);
    const piece = dice.pick([
      '--x\r\n',
      '--x\r\n\r\n\r\n',
      '--x--\r\n',
      '\r\n--y',
      `--x\r\nContent-Disposition: form-data; name="a"\r\n${'X-A: b\r\n'.repeat(2_000)}\r\n\r\n`,
      `--x\r\nContent-Disposition: form-data; ${'a=b;'.repeat(3_000)}\r\n\r\n\r\n`,
    ]);
    const units = dice.pick([20_000, mostUnits, 5 * mostUnits]);
    return { ...rest(multipart(), path), body: piece.repeat(units / piece.length) };
  },
  'multipart over GraphQL': (dice) =>
    multipart(
      part(
        'operations',
        JSON.stringify({ query: updateCompany, variables: { input: keys(many(dice), null) } }),
      ),
      part(
        'map',
        JSON.stringify({
          0: dice.pick([
            times(many(dice), (index) => `variables.input.k${index}`),
            ['variables.input.logo'],
            ['a.'.repeat(sizeOf(dice) / 4)],
            times(many(dice), () => 'variables.__proto__.a'),
          ]),
        }),
      ),
      part('0', text(dice, sizeOf(dice)), '; filename="a.png"'),
      ...times(Math.min(many(dice), 10_000), () => part('more', 'x')),
    ),
  'a long header': (dice) => {
    const value =
      text(dice, 12_000)
        .replace(/[^\x20-\x7e]/g, 'q')
        .trim() || 'q';
    return { ...document('{ __typename }'), headers: { [dice.pick(headerNames)]: value } };
  },
  'a long header over REST': (dice) => {
    const value =
      text(dice, 12_000)
        .replace(/[^\x20-\x7e]/g, 'q')
        .trim() || 'q';
    const request = json(JSON.stringify(names));
    return rest({ ...request, headers: { ...request.headers, [dice.pick(headerNames)]: value } });
  },
  'a long URL': (dice) => ({
    method: 'GET',
    path: `${dice.pick(['/graphql?query=', '/graphql?a&', '/jobs/', '/logos/', '/companies?', '/x'])}${encodeURIComponent(text(dice, 2_500).replace(/[\uD800-\uDFFF]/g, ''))}`,
  }),
};

/** This many consecutive seeds produce each shape once. */
export const shapeCount = Object.keys(shapes).length;

export function hostileRequest(seed: number, dice: Dice, token: string): Hostile {
  const [shape, make] = Object.entries(shapes)[seed % shapeCount] ?? [];
  if (!shape || !make) throw new Error('there is no shape');
  const { method, path = '/graphql', headers, body } = make(dice);
  return {
    shape,
    method: method ?? (path.startsWith('/companies') ? 'PATCH' : 'POST'),
    path,
    headers: {
      ...(dice.roll(4) > 0 && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && !headers?.['content-type'] && { 'content-type': 'application/json' }),
      ...headers,
    },
    body,
  };
}
