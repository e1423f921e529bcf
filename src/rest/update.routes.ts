import { type FastifyRequest, type RouteHandlerMethod } from 'fastify';
import { companyFields } from '../company/company-fields.rules.js';
import { type LogoIntake } from '../company/logo/logo-intake.js';
import { type FieldTable } from '../fields/fields.rules.js';
import { documentedName } from '../errors/documented-name.js';
import { fieldFault } from '../errors/field-fault.js';
import { type UpdateCompanyMutation, type UpdateJobMutation } from '../graphql/generated/operations.js';
import { jobFields } from '../job/job-fields.rules.js';
import { type DocumentedField } from '../operations.js';
import { deprecationsOf } from './deprecation.js';
import { inputOf, rootField } from './documented.js';
import { companyEnvelope, jobEnvelope, jobHeaders } from './envelope.js';
import { queryParameter } from './query-parameter.js';
import { type BodyFields, bodyFields, bodyKinds, type ReadVariables, variablesReader } from './read-body.js';
import { readMultipart } from './read-multipart.js';
import { type Answered, type Executor, prepareOperation, runOperation } from './run-operation.js';
import { readUpdateHeaders } from './update-headers.js';

type Warnings = Answered<UpdateJobMutation>['updateJob']['warnings'];

interface Update<Data> {
  fields: FieldTable;
  /** The only field that the query string can have, too. */
  inQuery?: string;
  readQuery?: (request: FastifyRequest, variables: ReadVariables) => void;
  success: number;
  show: (answered: Answered<Data>) => {
    record: { version: number };
    headers?: Record<string, string>;
    warnings: Warnings;
    body: object;
  };
}

/** The handlers of the paths that update (Contract 4.1, 4.2). */
export function updateHandlers(executor: Executor, files: { intake: LogoIntake; fieldBytes: number }) {
  const { schema } = executor;
  function handler<Data>(
    field: DocumentedField,
    { fields, inQuery, readQuery, success, show }: Update<Data>,
  ): RouteHandlerMethod {
    const operation = prepareOperation<Data>(executor, field);
    const deprecations = deprecationsOf(schema, field);
    const input = inputOf(rootField(schema, field));
    const readVariables = variablesReader(input, fields);
    const names = new Set(bodyFields(input, fields).map(({ name }) => documentedName(name)));
    const isMisplaced = (parameter: string) => {
      const name = parameter.replaceAll('-', '_').replace(/\[\d*\]$/, '');
      return names.has(name) && name !== inQuery;
    };
    const takesFiles = bodyKinds(input).includes('multipart');

    return async (request, reply) => {
      const update = async (body: BodyFields) => {
        const variables = readVariables(body, request.params as Record<string, unknown>);
        readQuery?.(request, variables);
        variables.unknownFields.push(...Object.keys(request.query as object).filter(isMisplaced));
        void reply.headers(deprecations(variables.input));
        const { options, faults } = readUpdateHeaders(request);
        if (options.dryRun) void reply.header('preference-applied', 'validate-only');
        const answered = await runOperation(request, reply, {
          operation,
          variables: { input: variables.input, ...options },
          reading: { faults: [...variables.faults, ...faults], unknownFields: variables.unknownFields },
        });
        const { record, warnings, body: shown, headers = {} } = show(answered);
        void reply.headers(headers);
        // A dry run makes no version (Contract 9.1, 9.4).
        if (!options.dryRun) void reply.header('etag', `"${record.version}"`);
        return { ...shown, ...documentedWarnings(warnings) };
      };
      const isMultipart = takesFiles && /^multipart\/form-data/i.test(request.headers['content-type'] ?? '');
      const body = isMultipart
        ? await readMultipart(request, files, update)
        : await update((request.body ?? {}) as BodyFields);
      return reply.code(success).send(body);
    };
  }

  return {
    updateCompany: handler<UpdateCompanyMutation>('updateCompany', {
      fields: companyFields,
      inQuery: 'company_public_id',
      readQuery: (request, variables) =>
        applyQueryIdentifier(variables, queryParameter(request, 'company-public-id')),
      success: 201,
      show: ({ updateCompany: { company, warnings } }) => ({
        record: company,
        warnings,
        body: { status: 201, company: companyEnvelope(company) },
      }),
    }),
    updateJob: handler<UpdateJobMutation>('updateJob', {
      fields: jobFields,
      success: 200,
      show: ({ updateJob: { job, warnings } }) => ({
        record: job,
        warnings,
        body: { data: jobEnvelope(job) },
        headers: jobHeaders(job),
      }),
    }),
  };
}

/** Without warnings, the reply lacks the key (Contract 7.5.1). An unknown field keeps the name that the caller sent. */
const documentedWarnings = (warnings: Warnings): { warnings?: object[] } =>
  warnings.length === 0
    ? {}
    : {
        warnings: warnings.map(({ code, field, message }) => ({
          code: code.replaceAll('_', '-'),
          field: code === 'unknown_field' ? field : documentedName(field),
          message,
        })),
      };

/** If the query string and the body both name a company, they must agree (Contract 4.1.5). */
function applyQueryIdentifier({ input, faults }: ReadVariables, given: unknown): void {
  if (given === undefined) return;
  if (typeof given !== 'string') return void faults.push(fieldFault.mustBe('companyPublicId', 'string'));
  const named = input.companyPublicId;
  const isBlank = typeof named !== 'string' || named.trim() === '';
  if (isBlank) input.companyPublicId = given;
  else if (given.trim() !== '' && named.trim() !== given.trim()) faults.push(contradiction);
}

const contradiction = fieldFault.format('companyPublicId', {
  en: 'the same in the query and in the body',
  fr: 'identique dans l’URL et dans le corps',
});
