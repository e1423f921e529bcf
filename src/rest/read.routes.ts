import { type FastifyReply, type FastifyRequest } from 'fastify';
import { type GraphQLSchema, isEnumType } from 'graphql';
import { createHash } from 'node:crypto';
import { DomainError } from '../errors/domain-error.js';
import { isKnown, preferredType, sendNotModified } from '../http/negotiation.js';
import { type DocumentedField } from '../operations.js';
import { type Results, type Asked, prepareOperation } from './prepare-operation.js';
import { envelopes, jobHeaders } from './envelope.js';
import { queryParameters, readArguments } from './query-parameter.js';

const json = 'application/json';
const ldJson = 'application/ld+json';

interface ReadRoute<Result> {
  /** Default: the file named after the root field. */
  file?: string;
  /** Default: reads the query string. */
  ask?: (request: FastifyRequest) => Asked;
  show: (result: Result, request: FastifyRequest) => ReadReply;
}

interface ReadReply {
  body: object;
  version?: number;
  /** Content type; default: JSON. */
  type?: string;
  headers?: Record<string, string>;
}

export function readHandlers(schema: GraphQLSchema) {
  function handler<Field extends DocumentedField>(
    field: Field,
    { file, ask, show }: ReadRoute<Results[Field]>,
  ) {
    const run = prepareOperation(schema, field, file);
    const parameters = queryParameters(schema, field);
    return async (request: FastifyRequest, reply: FastifyReply) => {
      const result = await run(request, reply, ask?.(request) ?? readArguments(request, parameters));
      return send(request, reply, show(result, request));
    };
  }
  const askJob = ({ params }: FastifyRequest) => ({
    variables: { publicId: (params as { jobPublicId: string }).jobPublicId },
  });
  const job = handler('job', {
    ask: askJob,
    show: (job) => ({
      body: { data: envelopes.job(job) },
      version: job.version,
      headers: jobHeaders(job),
    }),
  });
  const posting = handler('job', {
    file: 'schema/operations/job-posting.graphql',
    ask: askJob,
    show({ jobPosting, ...job }) {
      if (!jobPosting) throw new DomainError('job-not-found');
      return { body: jobPosting, type: ldJson, headers: jobHeaders(job) };
    },
  });

  const kinds = schema.getType('ReferenceKind');
  return {
    company: handler('company', {
      show: (company) => ({
        body: { status: 200, company: envelopes.company(company) },
        version: company.version,
      }),
    }),
    // `Accept` chooses the format.
    job(request: FastifyRequest, reply: FastifyReply) {
      void reply.header('vary', 'accept');
      const isPosting = preferredType(request, [json, ldJson]) === ldJson;
      return isPosting ? posting(request, reply) : job(request, reply);
    },
    jobs: handler('jobs', {
      show({ edges, pageInfo }, { url }) {
        const after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
        return {
          body: { data: edges.map(({ node }) => envelopes.jobs(node)), after },
          ...(after && { headers: { link: `<${nextUrl(url, after)}>; rel="next"` } }),
        };
      },
    }),
    jobCounts: handler('jobCounts', {
      show: (counts) => ({ body: { data: counts.map(envelopes.jobCounts) } }),
    }),
    changes: handler('changes', {
      show: ({ edges, pageInfo }) => ({
        body: {
          data: edges.map(({ node }) => envelopes.changes(node)),
          after: pageInfo.endCursor,
          more: pageInfo.hasNextPage,
        },
      }),
    }),
    references: handler('references', {
      ask({ params }) {
        const { kind } = params as { kind: string };
        if (!isEnumType(kinds) || !kinds.getValue(kind)) throw new DomainError('not-found');
        return { variables: { kind } };
      },
      show: (references) => ({ body: { data: references.map(envelopes.references) } }),
    }),
  };
}

const isToken = (parameter: string): boolean => /^access_token(\[\d*\])?$/.test(parameter);

/**
 * Relative to the URL of this page (RFC 8288, 3.1). The URL repeats `jobs`, because Java resolves a bare `?…` to `/?…`
 * (RFC 2396).
 */
function nextUrl(url: string, after: string): string {
  const query = new URLSearchParams(url.slice(url.indexOf('?')));
  query.set('after', after);
  // Links end up in logs and histories.
  for (const name of [...query.keys()]) if (isToken(name)) query.delete(name);
  return `jobs?${query.toString()}`;
}

/**
 * Sends the body, or 304 if the caller has it. A record's ETag has the version for `If-Match`, and a digest of the body, because
 * names can change without a new version.
 */
function send(
  request: FastifyRequest,
  reply: FastifyReply,
  { body, version, type = json, headers = {} }: ReadReply,
): FastifyReply {
  // Escape `<`: pages put the JSON into a `<script>`.
  const text = type === ldJson ? JSON.stringify(body).replaceAll('<', '\\u003c') : JSON.stringify(body);
  const digest = createHash('sha256').update(text).digest('base64url').slice(0, 16);
  const tag = `"${version === undefined ? '' : `${version}-`}${digest}"`;
  void reply.headers({ ...headers, etag: tag });
  if (isKnown(request, tag)) return sendNotModified(reply);
  return reply.type(`${type}; charset=utf-8`).send(text);
}
