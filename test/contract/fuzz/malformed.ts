export interface Malformed {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | Buffer | undefined;
}

/** Reproducible random numbers from a seed (mulberry32). */
export class Dice {
  constructor(private state: number) {}

  /** An integer from 0 to `sides` - 1. */
  roll(sides: number): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % sides;
  }

  pick<T>(choices: readonly T[]): T {
    const choice = choices[this.roll(choices.length)];
    if (choice === undefined) throw new Error('nothing to pick from');
    return choice;
  }
}

const paths = [
  '/graphql',
  '/companies',
  '/jobs/acme-backend-engineer',
  '/jobs/%00',
  '/jobs/%E0%A4%A',
  '/logos/x',
];
const methods = ['POST', 'PATCH', 'GET', 'PUT', 'DELETE', 'OPTIONS'];
const types = [
  ...['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'],
  ...['multipart/form-data', 'multipart/form-data; boundary=', 'application/json; charset=utf-16'],
  ...['application/graphql-response+json', 'text/plain', 'nonsense', ''],
];
const names = [
  ...['media_public_id', 'company_public_id', 'name', 'state', 'salary', 'manager_emails[]', 'logo'],
  ...['logo_url'],
];
const values = [
  'demo-media',
  'acme',
  '',
  '\u0000',
  '\ud800',
  '{"$gt":""}',
  '__proto__',
  '<script>alert(1)</script>',
  'é'.repeat(2_000),
  '-1',
  '9'.repeat(400),
  'null',
  '%',
  '${7*7}',
  '../../etc/passwd',
];
const documents = [
  '{ viewer { subject } }',
  '{ __typename }',
  'mutation ($input: UpdateJobInput!) { updateJob(input: $input) { job { name } } }',
  'mutation ($input: UpdateCompanyInput!) { updateCompany(input: $input) { company { name } } }',
  'query ($p: String!) { job(publicId: $p) { name history(first: 2) { edges { cursor } } } }',
  'subscription { x }',
  '{ ...A } fragment A on Query { ...A }',
];
const jsonValues: unknown[] = [
  null,
  true,
  0,
  -1,
  1e308,
  '',
  'x',
  [],
  {},
  [[]],
  { $gt: '' },
  { a: { b: { c: 1 } } },
];
const headers: [string, string][] = [
  ['if-match', '"x"'],
  ['if-match', '*'],
  ['if-match', '99999999999999999999'],
  ['idempotency-key', '\u00e9'],
  ['idempotency-key', 'k'.repeat(300)],
  ['prefer', 'validate-only; ='],
  ['accept', 'image/*;q=x'],
  ['accept-language', ';;;q=9,fr'],
  ['content-encoding', 'gzip'],
  ['x-request-id', '<>'],
  ['x-forwarded-for', 'not an address'],
  ['authorization', 'Bearer ...'],
  ['authorization', 'Basic YTpi'],
];

/** A nearly valid request with a few faults. */
export function malformedRequest(seed: number, token: string): Malformed {
  const dice = new Dice(seed);
  const path =
    dice.pick(paths) +
    (dice.roll(6) === 0 ? `?company-public-id=${dice.pick(['a', '%', '&', 'a&company-public-id=b'])}` : '');
  const method = dice.roll(5) === 0 ? dice.pick(methods) : path.startsWith('/companies') ? 'PATCH' : 'POST';
  const type = dice.pick(types);
  const sent: Record<string, string> = {
    ...(type && { 'content-type': type }),
    ...(dice.roll(4) > 0 && { authorization: `Bearer ${token}` }),
    ...(dice.roll(3) > 0 && { 'apollo-require-preflight': 'yes' }),
  };
  for (let count = dice.roll(3); count > 0; count -= 1) {
    const [name, value] = dice.pick(headers);
    sent[name] = value;
  }
  const body = method === 'GET' ? undefined : mangled(bodyOf(type, path, dice), dice);
  return { method, path, headers: sent, body };
}

function bodyOf(type: string, path: string, dice: Dice): string {
  if (type.startsWith('multipart')) return multipart(path, dice);
  if (type.includes('urlencoded'))
    return fields(dice)
      .map(
        ([name, value]) =>
          `${name}=${dice.roll(2) ? value : encodeURIComponent(Buffer.from(value).toString())}`,
      )
      .join('&');
  return path.startsWith('/graphql') ? operation(dice) : JSON.stringify(Object.fromEntries(jsonFields(dice)));
}

const fields = (dice: Dice): [string, string][] =>
  Array.from({ length: dice.roll(6) }, () => [dice.pick(names), dice.pick(values)]);

const jsonFields = (dice: Dice): [string, unknown][] =>
  Array.from({ length: dice.roll(6) }, () => [
    dice.pick(names),
    dice.roll(2) ? dice.pick(values) : dice.pick(jsonValues),
  ]);

function operation(dice: Dice): string {
  const input = Object.fromEntries(
    Array.from({ length: dice.roll(5) }, () => [
      dice.pick([
        ...['mediaPublicId', 'companyPublicId', 'jobPublicId', 'state', 'managerEmails', 'logo', 'nothing'],
      ]),
      dice.roll(2) ? dice.pick(values) : dice.pick(jsonValues),
    ]),
  );
  return JSON.stringify({
    query: dice.roll(8) ? dice.pick(documents) : dice.pick(jsonValues),
    variables: dice.roll(4) ? { input, p: dice.pick(jsonValues) } : dice.pick(jsonValues),
    ...(dice.roll(3) === 0 && { operationName: dice.pick(jsonValues) }),
    ...(dice.roll(3) === 0 && { extensions: dice.pick(jsonValues) }),
  });
}

function multipart(path: string, dice: Dice): string {
  const parts: [string, string][] = path.startsWith('/graphql')
    ? [
        ['name="operations"', operation(dice)],
        [
          'name="map"',
          dice.pick(['{"0":["variables.input.logo"]}', '{}', '[]', 'x', '{"0":["__proto__.a"]}']),
        ],
        ['name="0"; filename="a.png"', 'not an image'],
      ]
    : [
        ...fields(dice).map(([name, value]): [string, string] => [`name="${name}"`, value]),
        ['name="logo"; filename="a"', 'GIF89a'],
      ];
  const kept = parts.filter(() => dice.roll(5) > 0);
  return `${kept.map(([what, text]) => `--x\r\nContent-Disposition: form-data; ${what}\r\n\r\n${text}\r\n`).join('')}--x--\r\n`;
}

function mangled(body: string, dice: Dice): string | Buffer {
  const bytes = Buffer.from(body);
  const at = dice.roll(bytes.length + 1);
  switch (dice.roll(7)) {
    case 0:
      return bytes.subarray(0, at);
    case 1:
      if (at < bytes.length) bytes[at] = dice.roll(256);
      return bytes;
    case 2:
      return Buffer.concat([bytes, bytes.subarray(at)]);
    case 3:
      return Buffer.from(Array.from({ length: dice.roll(200) }, () => dice.roll(256)));
    default:
      return bytes;
  }
}
