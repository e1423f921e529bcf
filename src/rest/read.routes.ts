import { type FastifyReply, type FastifyRequest, type RouteHandlerMethod } from 'fastify';
import { type GraphQLSchema, isEnumType } from 'graphql';
import { createHash } from 'node:crypto';
import { DomainError } from '../errors/domain-error.js';
import { type FieldFault, fieldFault } from '../errors/field-fault.js';
import { type CompanyQuery, type JobQuery, type ReferencesQuery } from '../graphql/generated/operations.js';
import { isKnown } from '../http/etag.js';
import { type DocumentedField } from '../operations.js';
import { deprecationsOf } from './deprecation.js';
import { companyEnvelope, jobEnvelope, referenceEnvelope } from './envelope.js';
import { queryParameter } from './query-parameter.js';
import { type Answered, prepareOperation, runOperation } from './run-operation.js';

/** What a read asks and shows. */
interface Read<Data> {
  ask: (request: FastifyRequest) => { variables: Record<string, unknown>; faults?: FieldFault[] };
  /** The body, and the version of the record in it. */
  show: (answered: Answered<Data>) => [body: object, version?: number];
}

/** The handlers of the paths that read (Contract 4.5). */
export function readHandlers(schema: GraphQLSchema) {
  function handler<Data>(field: DocumentedField, { ask, show }: Read<Data>): RouteHandlerMethod {
    const operation = prepareOperation<Data>(schema, field);
    const deprecations = deprecationsOf(schema, field);
    return async (request, reply) => {
      const { variables, faults = [] } = ask(request);
      void reply.headers(deprecations());
      const answered = await runOperation(request, reply, { operation, variables, reading: { faults } });
      return answer(request, reply, ...show(answered));
    };
  }

  const kinds = schema.getType('ReferenceKind');
  return {
    company: handler<CompanyQuery>('company', {
      ask(request) {
        const faults: FieldFault[] = [];
        const given = (name: string): string => {
          const value = queryParameter(request, name);
          const text = typeof value === 'string' ? value.trim() : '';
          if (value !== undefined && typeof value !== 'string')
            faults.push(fieldFault.mustBe(name, 'string'));
          else if (!text) faults.push(fieldFault.missing(name));
          return text;
        };
        const variables = { mediaPublicId: given('media-public-id'), publicId: given('company-public-id') };
        return { variables, faults };
      },
      show: ({ company }) => [{ status: 200, company: companyEnvelope(company) }, company.version],
    }),
    job: handler<JobQuery>('job', {
      ask: ({ params }) => ({ variables: { publicId: (params as { jobPublicId: string }).jobPublicId } }),
      show: ({ job }) => [{ data: jobEnvelope(job) }, job.version],
    }),
    references: handler<ReferencesQuery>('references', {
      ask({ params }) {
        const { kind } = params as { kind: string };
        if (!isEnumType(kinds) || !kinds.getValue(kind)) throw new DomainError('not-found');
        return { variables: { kind } };
      },
      show: ({ references }) => [{ data: references.map(referenceEnvelope) }],
    }),
  };
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
