import { type FastifyReply, type FastifyRequest } from 'fastify';
import {
  execute,
  getNamedType,
  getOperationAST,
  type GraphQLInputField,
  type GraphQLSchema,
  parse,
  validate,
} from 'graphql';
import { readFileSync } from 'node:fs';
import { contextOf, type Reading, replyHeaders } from '../access/request-context.js';
import { documentedName } from '../errors/documented-name.js';
import { toDomainError } from '../database/mask-error.js';
import { measureOperation } from '../graphql/bounds/measure-document.js';
import { type CountReferences } from '../graphql/bounds/weights.js';
import { deprecatedUses } from '../graphql/deprecated-parts.js';
import { type JobState } from '../job/job-choices.rules.js';
import { type DocumentedField } from '../operations.js';
import { type Page } from '../paging/page.js';
import { definedFields, documentedReplies, inputOf, type Key, rootField } from './envelope.js';

interface JobAnswer {
  version: number;
  state: JobState;
  expiresAt: string | null;
  jobPosting?: object | null;
}

type Warnings = { code: string; field: string; message: string }[];

/** What the handlers read of an answer without errors. What they show of a record follows from its rows. */
export interface Answers {
  company: { version: number };
  job: JobAnswer;
  jobs: Page<object>;
  changes: Page<object>;
  references: object[];
  updateCompany: { company: { version: number }; warnings: Warnings };
  updateJob: { job: JobAnswer; warnings: Warnings };
}

/** `update-job.graphql` for `updateJob`. */
export const operationFile = (field: DocumentedField): string =>
  `schema/operations/${documentedName(field).replaceAll('_', '-')}.graphql`;

/** What the operations of all paths share. */
export interface Executor {
  schema: GraphQLSchema;
  countReferences: CountReferences;
}

/** Parses and validates the operation once for all calls. */
export function prepareOperation<Field extends DocumentedField>(
  { schema, countReferences }: Executor,
  field: Field,
  file = operationFile(field),
) {
  const document = parse(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8'));
  const faults = validate(schema, document);
  if (faults.length > 0) throw new AggregateError(faults, `${file} does not fit the schema`);
  const operation = getOperationAST(document) ?? undefined;
  /**
   * Sets the reply headers, such as the quota, even if the operation fails.
   * @throws DomainError for the first error of the result
   */
  return async (
    request: FastifyRequest,
    reply: FastifyReply,
    { variables, reading }: { variables: Record<string, unknown>; reading: Reading },
  ): Promise<Answers[Field]> => {
    const contextValue = contextOf(request, 'rest', reading);
    const vary = reply.getHeader('vary');
    void reply.header('vary', vary ? `${String(vary)}, accept-language` : 'accept-language');
    try {
      const requested = { document, operation, variables };
      contextValue.work.deprecated = deprecatedUses(requested, schema);
      contextValue.bill.present(measureOperation(requested, schema, countReferences));
      const { data, errors } = await execute({ schema, document, contextValue, variableValues: variables });
      const [error] = errors ?? [];
      if (error) throw toDomainError(error.originalError ?? error);
      return data![field] as Answers[Field];
    } finally {
      void reply.headers(replyHeaders(contextValue));
    }
  };
}

/** Every `@deprecated` reason must end with these two days, in UTC. */
const dates = /\bDeprecated since (\d{4}-\d\d-\d\d), gone on (\d{4}-\d\d-\d\d)\.$/;

type Part = Pick<GraphQLInputField, 'name' | 'deprecationReason'>;

interface Deprecation {
  name: string;
  since: Date;
  end: Date;
}

/** @throws Error if the reason lacks the two days */
function deprecationIn({ name, deprecationReason: reason }: Part): Deprecation[] {
  if (!reason) return [];
  const [, since, end] = dates.exec(reason) ?? [];
  if (!since || !end)
    throw new Error(`"${reason}" must end with "Deprecated since YYYY-MM-DD, gone on YYYY-MM-DD."`);
  return [{ name, since: new Date(since), end: new Date(end) }];
}

/** `Deprecation` (RFC 9745) and `Sunset` (RFC 8594) of the part that is removed first. */
function deprecationHeaders(deprecations: readonly Deprecation[]): Record<string, string> {
  const [first] = [...deprecations].sort((one, other) => Number(one.end) - Number(other.end));
  return first ? { deprecation: `@${Number(first.since) / 1000}`, sunset: first.end.toUTCString() } : {};
}

/**
 * Returns a function that gives the deprecation headers of a call (Contract 4.5.6). The operation, a key of its reply or a field of the
 * input can be deprecated.
 */
export function deprecationsOf(schema: GraphQLSchema, operation: DocumentedField) {
  const root = rootField(schema, operation);
  const inputs = Object.values(inputOf(root)?.getFields() ?? {}).flatMap(deprecationIn);
  const { type, shown } = documentedReplies[operation];
  const always = [...deprecationIn(root), ...shownDeprecations(schema, type, shown)];
  return (input: object = {}) =>
    deprecationHeaders([...always, ...inputs.filter(({ name }) => name in input)]);
}

const shownDeprecations = (schema: GraphQLSchema, type: string, keys: readonly Key[]): Deprecation[] =>
  definedFields(schema, type, keys).flatMap(({ definition, keys: below }) => [
    ...deprecationIn(definition),
    ...(below ? shownDeprecations(schema, getNamedType(definition.type).name, below) : []),
  ]);
