import { expect, it } from '@jest/globals';
import { CompanyType } from '../../src/company/company.graphql.js';
import { printSdl } from '../../src/graphql/schema.js';
import { UpdateJobInput } from '../../src/job/job-input.graphql.js';
import { printOpenApi } from '../../src/rest/openapi.js';
import { deprecate, fieldsOf, mutationsNamed, queriesNamed } from '../support/deprecate.js';

const reason = 'Nobody reads it. Deprecated since 2026-12-01, gone on 2027-12-01.';
deprecate(fieldsOf(UpdateJobInput, 'salary'), reason);
deprecate(fieldsOf(CompanyType, 'size'), reason);
deprecate(mutationsNamed('updateCompany'), reason);
deprecate(queriesNamed('references'), reason);

it('the SDL and the OpenAPI document mark deprecated parts (Contract 1.3, 1.4)', () => {
  expect(printSdl().match(/@deprecated\(\s*reason: "Nobody reads it\. Deprecated since/g)).toHaveLength(4);
  // One for the list of references, two for the methods that update a company, one for `size`, and four for `salary` (two methods with
  // two body formats each).
  expect(printOpenApi().match(/"deprecated": true/g)).toHaveLength(8);
});
