import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { getMetadataStorage } from 'type-graphql';
import { CompanyType } from '../../src/company/company.types.js';
import { buildSchema, printSdl } from '../../src/graphql/schema.js';
import { UpdateJobInput } from '../../src/job/job.types.js';
import { deprecationsOf } from '../../src/rest/deprecation.js';
import { printOpenApi } from '../../src/rest/openapi.js';
import { ownGateway } from '../support/own-gateway.js';
import { rest } from '../support/requests.js';

// Nothing in the contract is deprecated yet, so this file deprecates four parts of the API.
const storage = getMetadataStorage();
const changed: { deprecationReason?: string | undefined }[] = [];
const deprecate = (parts: typeof changed, text: string): void => {
  if (parts.length !== 1) throw new Error(`${parts.length} parts where there should be one`);
  for (const part of parts) part.deprecationReason = text;
  changed.push(...parts);
};
const fieldsOf = (owner: object, name: string) =>
  storage.fields.filter((field) => field.target === owner && field.name === name);
const reason = (since: string, end: string): string =>
  `Nobody reads it. Deprecated since ${since}, gone on ${end}.`;

deprecate(fieldsOf(UpdateJobInput, 'salary'), reason('2026-12-01', '2027-12-01'));
deprecate(fieldsOf(CompanyType, 'size'), reason('2026-11-01', '2027-05-01'));
deprecate(
  storage.mutations.filter(({ schemaName }) => schemaName === 'updateCompany'),
  reason('2026-12-01', '2028-01-01'),
);
deprecate(
  storage.queries.filter(({ schemaName }) => schemaName === 'references'),
  reason('2026-12-01', '2028-06-01'),
);

// The next test file in this process uses the same metadata.
afterAll(() => {
  for (const part of changed) part.deprecationReason = undefined;
});

const gateway = ownGateway();
let token: string;
beforeAll(async () => void (token = await gateway.token()));

const job = '/jobs/acme-backend-engineer';
const named = { media_public_id: 'demo-media', company_public_id: 'acme' };
const december = '@1796083200';
const november = '@1793491200';

it.each([
  ['a deprecated field', 'PATCH', job, { ...named, salary: '1' }, december, 'Wed, 01 Dec 2027 00:00:00 GMT'],
  ['no deprecated field', 'PATCH', job, named, null, null],
  [
    'a deprecated field and is rejected',
    'PATCH',
    job,
    { salary: '1' },
    december,
    'Wed, 01 Dec 2027 00:00:00 GMT',
  ],
  [
    'a deprecated operation',
    'GET',
    '/references/contract',
    undefined,
    december,
    'Thu, 01 Jun 2028 00:00:00 GMT',
  ],
  ['nothing deprecated', 'GET', job, undefined, null, null],
  [
    'a deprecated operation with a reply key that is removed earlier',
    'PATCH',
    '/companies',
    named,
    november,
    'Sat, 01 May 2027 00:00:00 GMT',
  ],
])(
  'a call that uses %s gets the right Deprecation and Sunset headers (Contract 4.5.6)',
  async (_part, method, path, form, since, end) => {
    const { headers } = await rest(gateway, method, path, form && { form }, { token });
    expect([headers.get('deprecation'), headers.get('sunset')]).toEqual([since, end]);
  },
);

it('the SDL and the OpenAPI document mark deprecated parts (Contract 4.5.6, 11.2)', () => {
  const sdl = printSdl();
  expect(sdl.match(/@deprecated\(\s*reason: "Nobody reads it\. Deprecated since/g)).toHaveLength(4);
  const document = printOpenApi();
  // One for the list of references, two for the methods that update a company, one for `size`, and four for `salary` (two methods with
  // two body formats each).
  expect(document.match(/"deprecated": true/g)).toHaveLength(8);
});

it('a deprecation reason without dates prevents the start (Contract 4.5.6)', () => {
  deprecate(fieldsOf(CompanyType, 'size'), 'Nobody reads it.');
  expect(() => deprecationsOf(buildSchema(), 'company')).toThrow(
    '"Nobody reads it." must end with "Deprecated since YYYY-MM-DD, gone on YYYY-MM-DD."',
  );
});
