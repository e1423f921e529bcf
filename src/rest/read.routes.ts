import {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type RouteShorthandOptions,
} from 'fastify';
import { type GraphQLSchema, isEnumType } from 'graphql';
import { createHash } from 'node:crypto';
import { DomainError } from '../errors/domain-error.js';
import { type FieldFault, fieldFault } from '../errors/field-fault.js';
import { type CompanyQuery, type JobQuery, type ReferencesQuery } from '../graphql/generated/operations.js';
import { prepareOperation } from '../graphql/prepare-operation.js';
import { isKnown } from '../http/etag.js';
import { deprecationsOf } from './deprecation.js';
import { companyEnvelope, jobEnvelope, referenceEnvelope } from './envelope.js';
import { queryParameter } from './query-parameter.js';
import { run } from './run.js';

interface ReadOptions extends Required<Pick<RouteShorthandOptions, 'onRequest' | 'errorHandler'>> {
  schema: GraphQLSchema;
}

/** `GET /companies`: a company as it stands in a media (Contract 4.5.2). */
export function registerCompanyRead(app: FastifyInstance, { schema, ...options }: ReadOptions): void {
  const operation = prepareOperation<CompanyQuery>(schema, 'company');
  const deprecations = deprecationsOf(schema, 'company', 'Company');
  app.get('/companies', options, async (request, reply) => {
    const faults: FieldFault[] = [];
    const given = (name: string): string => {
      const value = queryParameter(request, name);
      const text = typeof value === 'string' ? value.trim() : '';
      if (value !== undefined && typeof value !== 'string') faults.push(fieldFault.mustBe(name, 'string'));
      else if (!text) faults.push(fieldFault.missing(name));
      return text;
    };
    const variables = { mediaPublicId: given('media-public-id'), publicId: given('company-public-id') };
    void reply.headers(deprecations());
    const { company } = await run(request, reply, { operation, variables, reading: { faults } });
    return answer(request, reply, { status: 200, company: companyEnvelope(company) }, company.version);
  });
}

/** `GET /jobs/{job_public_id}` (Contract 4.5.1). */
export function registerJobRead(app: FastifyInstance, { schema, ...options }: ReadOptions): void {
  const operation = prepareOperation<JobQuery>(schema, 'job');
  const deprecations = deprecationsOf(schema, 'job', 'Job');
  app.get<{ Params: { jobPublicId: string } }>('/jobs/:jobPublicId', options, async (request, reply) => {
    const variables = { publicId: request.params.jobPublicId };
    void reply.headers(deprecations());
    const { job } = await run(request, reply, { operation, variables });
    return answer(request, reply, { data: jobEnvelope(job) }, job.version);
  });
}

/** `GET /references/{kind}`: all reference records of a kind (Contract 4.5.3). */
export function registerReferencesRead(app: FastifyInstance, { schema, ...options }: ReadOptions): void {
  const operation = prepareOperation<ReferencesQuery>(schema, 'references');
  const deprecations = deprecationsOf(schema, 'references', 'Reference');
  const kinds = schema.getType('ReferenceKind');
  app.get<{ Params: { kind: string } }>('/references/:kind', options, async (request, reply) => {
    const { kind } = request.params;
    if (!isEnumType(kinds) || !kinds.getValue(kind)) throw new DomainError('not-found');
    void reply.headers(deprecations());
    const { references } = await run(request, reply, { operation, variables: { kind } });
    return answer(request, reply, { data: references.map(referenceEnvelope) });
  });
}

/**
 * Answers the body, or 304 to a caller who has it. The ETag is the version, for `If-Match`, and a digest of the body, in which
 * names may change while the version stays (Contract 4.5.4).
 */
function answer(request: FastifyRequest, reply: FastifyReply, body: object, version?: number): FastifyReply {
  const text = JSON.stringify(body);
  const digest = createHash('sha256').update(text).digest('base64url').slice(0, 16);
  const tag = `"${version === undefined ? '' : `${version}-`}${digest}"`;
  void reply.header('etag', tag);
  if (isKnown(request, tag)) return reply.code(304).send();
  return reply.type('application/json; charset=utf-8').send(text);
}
