import { beforeAll, expect, it } from '@jest/globals';
import { CompanyType } from '../../src/company/company.types.js';
import { buildSchema, printSdl } from '../../src/graphql/schema.js';
import { UpdateJobInput } from '../../src/job/job.types.js';
import { deprecationsOf } from '../../src/rest/run-operation.js';
import { printOpenApi } from '../../src/rest/openapi.js';
import { deprecate, fieldsOf, mutationsNamed, queriesNamed } from '../support/deprecate.js';
import { ownGateway } from '../support/own-gateway.js';
import { rest } from '../support/requests.js';

const reason = (since: string, end: string): string =>
  `Nobody reads it. Deprecated since ${since}, gone on ${end}.`;

deprecate(fieldsOf(UpdateJobInput, 'salary'), reason('2026-12-01', '2027-12-01'));
deprecate(fieldsOf(CompanyType, 'size'), reason('2026-11-01', '2027-05-01'));
deprecate(mutationsNamed('updateCompany'), reason('2026-12-01', '2028-01-01'));
deprecate(queriesNamed('references'), reason('2026-12-01', '2028-06-01'));

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
  for (const field of fieldsOf(CompanyType, 'size')) field.deprecationReason = 'Nobody reads it.';
  expect(() => deprecationsOf(buildSchema(), 'company')).toThrow(
    '"Nobody reads it." must end with "Deprecated since YYYY-MM-DD, gone on YYYY-MM-DD."',
  );
});
