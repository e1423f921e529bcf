import multipart from '@fastify/multipart';
import {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type onRequestAsyncHookHandler,
} from 'fastify';
import { type GraphQLInputObjectType, type GraphQLSchema, isInputObjectType } from 'graphql';
import { bucketHeaders } from '../access/bucket-headers.js';
import { type RequestContext } from '../access/request-context.js';
import { warningMessages } from '../content/warning.js';
import { DomainError } from '../errors/domain-error.js';
import { fieldFault } from '../errors/field-fault.js';
import { inputName } from '../errors/input-name.js';
import { type Executor } from '../graphql/executor.js';
import { type UpdateCompanyMutation, type UpdateJobMutation } from '../graphql/generated/operations.js';
import { preferredLanguage } from '../http/language.js';
import { type Settings } from '../settings.js';
import { registerBodyParsers } from './body-parsers.js';
import { companyEnvelope, jobEnvelope } from './envelope.js';
import { type BodyFields } from './read-form.js';
import { MultipartReader } from './read-multipart.js';
import { type ReadVariables, readVariables } from './read-variables.js';

interface Dependencies {
  schema: GraphQLSchema;
  execute: Executor;
  authenticate: onRequestAsyncHookHandler;
  settings: Pick<Settings, 'bodyMaxBytes' | 'logoMaxBytes'>;
}

interface PayloadWarning {
  code: string;
  field: string;
  message: string;
}

/** The two documented paths, each a GraphQL operation in its documented dress (Contract 4.1, 4.2). */
export async function registerRestRoutes(app: FastifyInstance, dependencies: Dependencies): Promise<void> {
  const { schema, execute, authenticate, settings } = dependencies;
  const { bodyMaxBytes, logoMaxBytes } = settings;

  await app.register(async (companies) => {
    registerBodyParsers(companies);
    await companies.register(multipart);
    const reader = new MultipartReader({ fileBytes: logoMaxBytes, fieldBytes: bodyMaxBytes });
    const type = inputType(schema, 'UpdateCompanyInput');

    refuseOtherMethods(companies, '/companies', ['PATCH']);
    companies.patch<{ Querystring: Record<string, unknown> }>(
      '/companies',
      { onRequest: [boundLength(bodyMaxBytes + logoMaxBytes), authenticate] },
      async (request, reply) => {
        const update = async (body: BodyFields) => {
          const variables = readVariables(type, body);
          applyQueryIdentifier(variables, request.query['company-public-id']);
          const context = contextOf(request, variables);
          const { updateCompany } = await run<UpdateCompanyMutation>(
            reply,
            execute,
            'update-company',
            variables,
            context,
          );
          if (!updateCompany) throw new Error('updateCompany answered neither data nor an error');
          const warnings = documentedWarnings(updateCompany.warnings, variables, type, context);
          return { status: 201, company: companyEnvelope(updateCompany.company), ...warnings };
        };
        const body = request.isMultipart()
          ? await reader.read(request, update)
          : await update((request.body ?? {}) as BodyFields);
        return reply.code(201).send(body);
      },
    );
  });

  await app.register(async (jobs) => {
    registerBodyParsers(jobs);
    const type = inputType(schema, 'UpdateJobInput');
    const path = '/jobs/:jobPublicId';

    refuseOtherMethods(jobs, path, ['POST', 'PATCH']);
    jobs.route<{ Params: { jobPublicId: string } }>({
      method: ['POST', 'PATCH'],
      url: path,
      onRequest: authenticate,
      handler: async (request, reply) => {
        const variables = readVariables(type, (request.body ?? {}) as BodyFields, request.params);
        const context = contextOf(request, variables);
        const { updateJob } = await run<UpdateJobMutation>(reply, execute, 'update-job', variables, context);
        if (!updateJob) throw new Error('updateJob answered neither data nor an error');
        const warnings = documentedWarnings(updateJob.warnings, variables, type, context);
        return { data: jobEnvelope(updateJob.job), ...warnings };
      },
    });
  });
}

async function run<Data>(
  reply: FastifyReply,
  execute: Executor,
  operation: string,
  { input }: ReadVariables,
  context: RequestContext,
): Promise<Data> {
  try {
    return await execute<Data>(operation, { input }, context);
  } finally {
    void reply.headers(bucketHeaders(context.bucket));
  }
}

function contextOf(request: FastifyRequest, { faults }: ReadVariables): RequestContext {
  return {
    requestId: request.id,
    transport: 'rest',
    caller: request.caller,
    language: preferredLanguage(request.headers['accept-language']),
    readFaults: faults,
  };
}

/** The company may be named in the query or in the body; both only if they agree (Contract 4.1.5). */
function applyQueryIdentifier({ input, faults }: ReadVariables, given: unknown): void {
  if (given === undefined) return;
  const named = input.companyPublicId;
  const isBlank = typeof named !== 'string' || named.trim() === '';
  if (typeof given !== 'string') faults.push(fieldFault.mustBe('company_public_id', 'string'));
  else if (isBlank) input.companyPublicId = given;
  else if (named.trim() !== given.trim()) faults.push(contradiction);
}

const contradiction = fieldFault.format('company_public_id', {
  en: 'the same in the query and in the body',
  fr: 'identique dans l’URL et dans le corps',
});

/** Warnings in the words of the documented fields, those of unknown fields included; no key without any. */
function documentedWarnings(
  warnings: readonly PayloadWarning[] | null,
  { unknownFields }: ReadVariables,
  type: GraphQLInputObjectType,
  { language }: RequestContext,
): { warnings?: PayloadWarning[] } {
  const all = [
    ...(warnings ?? []).map((warning) => ({ ...warning, field: documentedName(warning.field, type) })),
    ...unknownFields.map((field) => ({
      code: 'unknown-field',
      field,
      message: warningMessages['unknown-field'][language],
    })),
  ];
  return all.length > 0 ? { warnings: all } : {};
}

/** The inverse of inputName, for the fields of the input. */
function documentedName(name: string, type: GraphQLInputObjectType): string {
  const documented = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return inputName(documented) in type.getFields() ? documented : name;
}

function inputType(schema: GraphQLSchema, name: string): GraphQLInputObjectType {
  const type = schema.getType(name);
  if (!isInputObjectType(type)) throw new Error(`the schema has no input ${name}`);
  return type;
}

/** A body that says that it is too long is refused before it is read. */
const boundLength =
  (maxBytes: number): onRequestAsyncHookHandler =>
  async ({ headers }) => {
    if (Number(headers['content-length'] ?? 0) > maxBytes) throw new DomainError('payload-too-large');
  };

/** Any other method on a documented path is refused with what the path accepts (Contract 7.1). */
function refuseOtherMethods(app: FastifyInstance, url: string, allow: readonly string[]): void {
  app.route({
    method: app.supportedMethods.filter((method) => !allow.includes(method)),
    url,
    exposeHeadRoute: false,
    onRequest: async () => {
      throw new DomainError('method-not-allowed', { allow });
    },
    handler: () => undefined,
  });
}
