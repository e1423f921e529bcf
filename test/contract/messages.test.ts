import { expect, it } from '@jest/globals';
import { isInputObjectType } from 'graphql';
import { companyFields } from '../../src/company/company-fields.rules.js';
import { catalogue, languages } from '../../src/errors/catalogue.js';
import { documentedName } from '../../src/errors/documented-name.js';
import { warningMessages } from '../../src/fields/warning.js';
import { buildSchema } from '../../src/graphql/schema.js';
import { applicationMethods } from '../../src/job/job-choices.rules.js';
import { jobFields } from '../../src/job/job-fields.rules.js';
import { ownGateway } from '../support/own-gateway.js';
import { graphql, rest } from '../support/requests.js';

const gateway = ownGateway();
const schema = buildSchema();

/** Each causes faults of another kind. */
const values = [null, '', 'nothing', 'x'.repeat(20_001), '\u0000', -1, {}, ['nothing'], Array(200).fill('a')];

const updates = [
  {
    ...{ field: 'updateCompany', input: 'UpdateCompanyInput', table: companyFields },
    ...{ method: 'PATCH', path: '/companies' },
    ids: { mediaPublicId: 'demo-media', companyPublicId: 'acme' },
  },
  {
    ...{ field: 'updateJob', input: 'UpdateJobInput', table: jobFields },
    ...{ method: 'POST', path: '/jobs/acme-backend-engineer' },
    ids: { mediaPublicId: 'demo-media', companyPublicId: 'acme', jobPublicId: 'acme-backend-engineer' },
  },
] as const;

/** Words in snake case or camel case, but not the values of an enum. */
const machineNamesIn = (message: string) =>
  (message.match(/\b[a-z]+_\w+|\b[a-z]+[A-Z]\w*/g) ?? []).filter(
    (word) => !applicationMethods.some((method) => method === word),
  );

it.each(languages)('no message in %s says a name of a field (Contract 7.3.1)', async (language) => {
  const token = await gateway.token({ media: ['demo-media'] });
  const options = { token, headers: { 'accept-language': language } };
  const messages = new Set<string>();
  for (const { message } of Object.values(catalogue)) messages.add(message[language]);
  for (const message of Object.values(warningMessages)) messages.add(message[language]);

  for (const { field, input, table, method, path, ids } of updates) {
    const type = schema.getType(input);
    const inputs = isInputObjectType(type) ? Object.keys(type.getFields()) : [];
    const mutation = `mutation ($input: ${input}!) { ${field}(input: $input, dryRun: true) { warnings { message } } }`;
    for (const value of values) {
      const fields = [...Object.keys(table), 'logo'].map((name) => [documentedName(name), value] as const);
      const json = {
        media_public_id: 'demo-media',
        company_public_id: 'acme',
        ...Object.fromEntries(fields),
      };
      const { body } = await rest(gateway, method, path, { json }, options);
      for (const { message } of body.errors ?? []) messages.add(message);
      for (const name of inputs) {
        const answer = await graphql(gateway, mutation, { input: { ...ids, [name]: value } }, options);
        for (const { extensions } of answer.body.errors ?? [])
          for (const { message } of extensions.fields ?? []) messages.add(message);
      }
    }
  }
  expect(messages.size).toBeGreaterThan(60);
  expect([...messages].filter((message) => machineNamesIn(message).length > 0)).toEqual([]);
});
