import { type FastifyReply, type FastifyRequest } from 'fastify';
import { getOperationAST, type GraphQLSchema, parse, validate } from 'graphql';
import { readFileSync } from 'node:fs';
import { replyHeaders } from '../quotas/quotas.js';
import { contextOf } from '../permissions/request-context.js';
import { snakeCase } from '../errors/snake-case.js';
import { toDomainError } from '../database/database-errors.js';
import { operationRunner } from '../graphql/run-operation.js';
import { type FieldFault } from '../errors/field-fault.js';
import { type JobState } from '../job/job-choices.rules.js';
import { type DocumentedField, type MutationField } from '../operations.js';
import { type Page } from '../paging/page.js';

interface JobResult {
  publicId: string;
  version: number;
  state: JobState;
  expiresAt: string | null;
  jobPosting?: object | null;
}

/** Has the record that the mutation writes. */
export interface MutationPayload {
  company: { publicId: string; version: number };
  job: JobResult;
  warnings: { code: string; field: string; message: string }[];
}

/** The data that handlers read of a result without errors. The rows of a record say how it is shown. */
export interface Results extends Record<MutationField, MutationPayload> {
  company: { version: number };
  job: JobResult;
  jobs: Page<object>;
  jobCounts: object[];
  changes: Page<object>;
  references: object[];
}

/** `update-job.graphql` for `updateJob`. */
export const operationFile = (field: DocumentedField): string =>
  `schema/operations/${snakeCase(field).replaceAll('_', '-')}.graphql`;

/** A request as the input of an operation. */
export interface Asked {
  variables: Record<string, unknown>;
  /** The faults of values that `variables` lack. They have an empty text instead where GraphQL requires one. */
  parseFaults?: readonly FieldFault[];
  /** Ignored with a warning. */
  unknownFields?: readonly string[];
  /** The versions in `If-Match`: GraphQL takes one alone. */
  expectedVersions?: readonly number[] | undefined;
}

/** Parses and validates the operation once for all calls. */
export function prepareOperation<Field extends DocumentedField>(
  schema: GraphQLSchema,
  field: Field,
  file = operationFile(field),
) {
  const document = parse(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8'));
  const faults = validate(schema, document);
  if (faults.length > 0) throw new AggregateError(faults, `${file} does not fit the schema`);
  const operation = getOperationAST(document)!;
  const runOperation = operationRunner(schema);
  /**
   * Sets the reply headers, such as the quota, even if the operation fails.
   * @throws DomainError for the first error of the result
   */
  return async (
    request: FastifyRequest,
    reply: FastifyReply,
    { variables, expectedVersions, ...besides }: Asked,
  ): Promise<Results[Field]> => {
    const contextValue = { ...contextOf(request, 'rest', besides), expectedVersions };
    const vary = reply.getHeader('vary');
    void reply.header('vary', vary ? `${String(vary)}, accept-language` : 'accept-language');
    try {
      const { data, errors } = await runOperation({ document, operation, variables }, contextValue);
      const [error] = errors ?? [];
      if (error) throw toDomainError(error.originalError ?? error);
      return data![field] as Results[Field];
    } finally {
      void reply.headers(replyHeaders(contextValue));
    }
  };
}
