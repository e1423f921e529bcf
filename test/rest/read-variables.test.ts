import { describe, expect, it } from '@jest/globals';
import { isInputObjectType } from 'graphql';
import { Upload } from 'graphql-upload-minimal';
import { companyFields } from '../../src/company/company-fields.rules.js';
import { unreadIn } from '../../src/fields/unread.rules.js';
import { buildSchema } from '../../src/graphql/schema.js';
import { jobFields } from '../../src/job/job-fields.rules.js';
import { type ReadVariables, variablesReader } from '../../src/rest/read-body.js';
import { restSchema } from '../../src/rest/rest-schema.js';

const schema = restSchema(buildSchema());
function inputType(name: string) {
  const type = schema.getType(name);
  if (!isInputObjectType(type)) throw new Error(`no input ${name}`);
  return type;
}
const ids = { media_public_id: 'm', company_public_id: 'c' };
const readJob = (body: Record<string, unknown>) =>
  variablesReader(inputType('UpdateJobInput'), jobFields)({ ...ids, ...body }, { jobPublicId: 'j' });
const readCompany = (body: Record<string, unknown>) =>
  variablesReader(inputType('UpdateCompanyInput'), companyFields)(body);
const codes = ({ unread }: ReadVariables) => unreadIn(unread).map(({ code }) => code);

describe('documented fields of a body', () => {
  it('become GraphQL input, under their GraphQL names (Contract 1.2, 4.2.2)', () => {
    const read = readJob({ contract_id: 'x', salary: '', localisation: null, manager_emails: ['a'] });
    expect(read).toEqual({
      input: {
        mediaPublicId: 'm',
        companyPublicId: 'c',
        jobPublicId: 'j',
        contractId: 'x',
        salary: '',
        localisation: null,
        managerEmails: ['a'],
      },
      unread: {},
      unknownFields: [],
    });
  });

  it('accept a file as logo, and ignore spaces around a choice', () => {
    const logo = new Upload();
    expect(readCompany({ logo })).toMatchObject({ input: { logo }, unread: {} });
    expect(readJob({ state: ' published\t' })).toMatchObject({ input: { state: 'published' }, unread: {} });
  });

  it('that GraphQL requires are passed as empty texts if the body lacks them (Contract 7.6.1, 7.6.3)', () => {
    expect(readCompany({}).input).toEqual({ mediaPublicId: '' });
    expect(readCompany({ media_public_id: null }).input).toEqual({ mediaPublicId: '' });
  });

  it('that take lists accept a text, a list, key[], key[0] or a mixture (Contract 4.2.11.1)', () => {
    const listOf = (body: Record<string, unknown>) => readJob(body).input.managerEmails;
    expect(listOf({ manager_emails: 'a' })).toEqual(['a']);
    expect(listOf({ 'manager_emails[]': 'a' })).toEqual(['a']);
    expect(listOf({ 'manager_emails[]': ['a', 'b'] })).toEqual(['a', 'b']);
    expect(listOf({ 'manager_emails[]': ['b'], manager_emails: 'a' })).toEqual(['a', 'b']);
    expect(listOf({ 'manager_emails[0]': 'a', 'manager_emails[1]': 'b' })).toEqual(['a', 'b']);
    expect(listOf({ 'manager_emails[0][1]': 'x', 'manager_emails[0]': 'y' })).toEqual(['y']);
    expect(listOf({ manager_emails: [] })).toEqual([]);
    expect(listOf({ 'manager_emails[]': '' })).toEqual([]);
    expect(listOf({ manager_emails: '', 'manager_emails[]': '' })).toEqual(['', '']);
    expect(listOf({ 'manager_emails[]': ['', ''] })).toEqual(['', '']);
  });

  it.each([
    ['salary', 5, 'salary-must-be-string'],
    ['salary', ['a', 'b'], 'salary-must-be-string'],
    ['salary', {}, 'salary-must-be-string'],
    ['salary', false, 'salary-must-be-string'],
    ['manager_emails', 5, 'manager_emails-must-be-array-of-strings'],
    ['manager_emails', ['a', null], 'manager_emails-must-be-array-of-strings'],
    ['manager_emails', [['a']], 'manager_emails-must-be-array-of-strings'],
    ['state', 'open', 'state-format-error'],
    ['state', '', 'state-format-error'],
    ['state', 1, 'state-must-be-string'],
    ['application_method', 'by_post', 'application_method-format-error'],
  ])(
    '%s with %p gets the fault %s and stays out of the input (Contract 4.3.2, 7.3.2)',
    (field, value, code) => {
      const read = readJob({ [field]: value });
      expect(codes(read)).toEqual([code]);
      expect(Object.keys(read.input).sort()).toEqual(['companyPublicId', 'jobPublicId', 'mediaPublicId']);
    },
  );

  it.each(['logo.png', 5, {}, ['a']])(
    'get the fault logo-must-be-file if logo is %p (Contract 4.1.2)',
    (logo) => {
      expect(codes(readCompany({ logo }))).toEqual(['logo-must-be-file']);
    },
  );
});

describe('other fields of a body', () => {
  it.each([
    ...['color', 'Salary', 'contractId', 'jobPublicId', 'job_public_id', '_id', ''],
    ...['constructor', 'constructor.prototype', 'toString', '__proto__', '$set'],
    ...['salary ', 'description.job', 'salary_', '_salary', 'manager_emails[a]', 'manager_emails[0', 'x]'],
  ])('%p is unknown and changes nothing (Contract 4.3.4)', (name) => {
    const read = readJob({ [name]: 'x' });
    expect(read.unknownFields).toEqual([name]);
    expect(read.unread).toEqual({});
    expect(read.input).toEqual({ mediaPublicId: 'm', companyPublicId: 'c', jobPublicId: 'j' });
  });
});
