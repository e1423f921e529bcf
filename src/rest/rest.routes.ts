import {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type onRequestAsyncHookHandler,
} from 'fastify';
import { type GraphQLSchema } from 'graphql';
import { type CountRefusal } from '../access/quotas.js';
import { companyFields } from '../company/company-fields.rules.js';
import { type LogoIntake } from '../company/logo/logo-intake.js';
import { type WarningType } from '../content/warning.types.js';
import { documentedName } from '../errors/documented-name.js';
import { fieldFault } from '../errors/field-fault.js';
import { type UpdateCompanyMutation, type UpdateJobMutation } from '../graphql/generated/operations.js';
import { type Answered, type Operation, prepareOperation } from '../graphql/prepare-operation.js';
import { boundLength, leaveMultipart, parseBodies } from '../http/body-parsers.js';
import { jobFields } from '../job/job-fields.rules.js';
import { type Settings } from '../settings.js';
import { deprecationsOf } from './deprecation.js';
import { companyEnvelope, jobEnvelope } from './envelope.js';
import { queryParameter } from './query-parameter.js';
import { registerCompanyRead, registerJobRead, registerReferencesRead } from './read.routes.js';
import { type BodyFields, contentTypes, readForm, readJson } from './read-form.js';
import { readMultipart } from './read-multipart.js';
import { inputType, type ReadVariables, variablesReader } from './read-variables.js';
import { counted, run } from './run.js';
import { readUpdateHeaders } from './update-headers.js';

interface Dependencies {
  schema: GraphQLSchema;
  authenticate: onRequestAsyncHookHandler;
  intake: LogoIntake;
  countRefusal: CountRefusal;
  settings: Pick<Settings, 'bodyMaxBytes'>;
}

/** The documented paths, each a GraphQL operation in its dress (Contract 4.1, 4.2, 4.5). */
export async function registerRestRoutes(app: FastifyInstance, dependencies: Dependencies): Promise<void> {
  const { schema, authenticate, intake, countRefusal, settings } = dependencies;
  const reads = { schema, onRequest: authenticate, errorHandler: counted('job', countRefusal) };
  const { bodyMaxBytes } = settings;

  await app.register(async (companies) => {
    takeFormsAndJson(companies);
    leaveMultipart(companies);
    companies.setErrorHandler(
      counted('updateCompany', countRefusal, {
        types: Object.values(contentTypes),
        headers: ['accept-patch'],
      }),
    );
    registerCompanyRead(companies, reads);
    const operation = prepareOperation<UpdateCompanyMutation>(schema, 'update-company');
    const deprecations = deprecationsOf(schema, 'updateCompany', 'Company');
    const readVariables = variablesReader(inputType(schema, 'UpdateCompanyInput'), companyFields);

    companies.patch(
      '/companies',
      { onRequest: [authenticate, boundLength(bodyMaxBytes, intake.maxBytes)] },
      async (request, reply) => {
        const update = async (body: BodyFields) => {
          const variables = readVariables(body);
          applyQueryIdentifier(variables, queryParameter(request, 'company-public-id'));
          void reply.headers(deprecations(variables.input));
          const { updateCompany } = await runUpdate(request, reply, variables, operation);
          const { company, warnings } = updateCompany;
          tag(reply, company);
          return { status: 201, company: companyEnvelope(company), ...documentedWarnings(warnings) };
        };
        const body = /^multipart\/form-data/i.test(request.headers['content-type'] ?? '')
          ? await readMultipart(request, { intake, fieldBytes: bodyMaxBytes }, update)
          : await update((request.body ?? {}) as BodyFields);
        return reply.code(201).send(body);
      },
    );
  });

  await app.register(async (jobs) => {
    takeFormsAndJson(jobs);
    jobs.setErrorHandler(
      counted('updateJob', countRefusal, {
        types: [contentTypes.form, contentTypes.json],
        headers: ['accept-post', 'accept-patch'],
      }),
    );
    registerJobRead(jobs, reads);
    const operation = prepareOperation<UpdateJobMutation>(schema, 'update-job');
    const deprecations = deprecationsOf(schema, 'updateJob', 'Job');
    const readVariables = variablesReader(inputType(schema, 'UpdateJobInput'), jobFields);

    jobs.route<{ Params: { jobPublicId: string } }>({
      method: ['POST', 'PATCH'],
      url: '/jobs/:jobPublicId',
      onRequest: authenticate,
      handler: async (request, reply) => {
        const variables = readVariables((request.body ?? {}) as BodyFields, request.params);
        void reply.headers(deprecations(variables.input));
        const { updateJob } = await runUpdate(request, reply, variables, operation);
        const { job, warnings } = updateJob;
        tag(reply, job);
        return { data: jobEnvelope(job), ...documentedWarnings(warnings) };
      },
    });
  });

  registerReferencesRead(app, reads);
}

/** Any other type of body is content-type-not-supported (Contract 4.3.1). */
function takeFormsAndJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  parseBodies(app, contentTypes.form, readForm);
  parseBodies(app, contentTypes.json, readJson);
}

/** Runs the update with the options that its headers give. */
async function runUpdate<Data>(
  request: FastifyRequest,
  reply: FastifyReply,
  { input, faults, unknownFields }: ReadVariables,
  operation: Operation<Data>,
): Promise<Answered<Data>> {
  const { options, faults: headerFaults } = readUpdateHeaders(request);
  if (options.dryRun) void reply.header('preference-applied', 'validate-only');
  return run(request, reply, {
    operation,
    variables: { input, ...options },
    reading: { faults: [...faults, ...headerFaults], unknownFields },
  });
}

/** The version as an ETag, for `If-Match`; what a dry run shows has none yet (Contract 9.1, 9.4). */
function tag(reply: FastifyReply, { version }: { version: number }): void {
  if (!reply.hasHeader('preference-applied')) void reply.header('etag', `"${version}"`);
}

/** Warnings by documented field names. Without any there is no key (Contract 7.5.1). */
const documentedWarnings = (warnings: readonly WarningType[] | null): { warnings?: WarningType[] } =>
  warnings ? { warnings: warnings.map((warning) => ({ ...warning, field: fieldOf(warning) })) } : {};

/** An unknown field has the name that the caller gave it. */
const fieldOf = ({ code, field }: WarningType): string =>
  code === 'unknown-field' ? field : documentedName(field);

/** The company may be named in the query or in the body; both only if they agree (Contract 4.1.5). */
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
