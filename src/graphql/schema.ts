import { printSchemaWithDirectives } from '@graphql-tools/utils';
import {
  buildASTSchema,
  getNamedType,
  type GraphQLSchema,
  isInputObjectType,
  lexicographicSortSchema,
  parse,
  specifiedDirectives,
} from 'graphql';
import { buildSchemaSync } from 'type-graphql';
import { rateLimitSdl } from '../quotas/quotas.js';
import { ViewerResolver } from '../permissions/viewer.resolver.js';
import { ChangeResolver } from '../change/change.resolver.js';
import { CompanyResolver } from '../company/company.resolver.js';
import { errorEnums } from './error-enums.js';
import { JobCreationResolver } from '../job/job-creation.resolver.js';
import { JobListResolver } from '../job/job-list.resolver.js';
import { JobPostingResolver } from '../job/job-posting.resolver.js';
import { JobResolver } from '../job/job.resolver.js';
import { CompanyListsResolver, MediaListsResolver } from '../job/nested-lists.resolver.js';
import { MediaResolver } from '../media/media.resolver.js';
import { NodeResolver } from './node.resolver.js';
import { operations } from '../operations.js';
import { ReferenceResolver } from '../reference/reference.resolver.js';

const resolverClasses = [
  ViewerResolver,
  ReferenceResolver,
  MediaResolver,
  MediaListsResolver,
  CompanyResolver,
  CompanyListsResolver,
  JobResolver,
  JobCreationResolver,
  JobListResolver,
  JobPostingResolver,
  NodeResolver,
  ChangeResolver,
] as const;

/** Where the format of each scalar is specified. */
const scalarFormats = {
  DateTimeISO: 'https://scalars.graphql.org/andimarek/date-time.html',
  Decimal: 'https://www.w3.org/TR/xmlschema11-2/#decimal',
  JSON: 'https://www.rfc-editor.org/rfc/rfc8259',
  Upload: 'https://github.com/jaydenseric/graphql-multipart-request-spec',
};

/** Builds the schema without guards. Pass an instance of each class only to execute the schema: without it, a field answers 500. */
export function buildSchema(resolvers: readonly object[] = []): GraphQLSchema {
  const schema = buildSchemaSync({
    resolvers: resolverClasses,
    container: new Map(resolvers.map((resolver) => [resolver.constructor, resolver])),
    // The services validate every field. Validation by reflection would cost a quarter of the throughput.
    validate: false,
    // Saves 35 ms per start. Apollo Server checks the guarded schema by the same rules.
    skipCheck: true,
    // This list replaces the default, so repeat GraphQL's own directives.
    directives: [...specifiedDirectives, buildASTSchema(parse(rateLimitSdl)).getDirective('rateLimit')!],
  });
  assertRowForEachField(schema);
  for (const [name, specifiedByURL] of Object.entries(scalarFormats))
    Object.assign(schema.getType(name) ?? {}, { specifiedByURL });
  // TypeGraphQL has no option for enums without a field, nor for these descriptions.
  for (const each of errorEnums) schema.getTypeMap()[each.name] = each;
  schema.description =
    'Keeps the companies and job postings of recruitment sites up to date. The contract, at `/contract` of the gateway, has the rules, errors and limits.';
  Object.assign(schema.getQueryType() ?? {}, { description: 'Everything that callers can read.' });
  Object.assign(schema.getMutationType() ?? {}, { description: 'Everything that callers can change.' });
  return schema;
}

/**
 * Checks that root fields and rows in operations.ts match: without a row, a field would have no quota and no guard. Rows must also fit
 * the arguments `mediaPublicId` and `idempotencyKey`: without `mediaPublicId`, a check of the media would reject or accept all callers.
 * @throws Error that lists the unmatched fields and rows
 */
export function assertRowForEachField(schema: GraphQLSchema): void {
  const roots = { query: schema.getQueryType(), mutation: schema.getMutationType() };
  const spell = (kind: string, field: string, takesMedia: boolean, takesKey: boolean) =>
    `${kind} ${field}(${[takesMedia && 'mediaPublicId', takesKey && 'idempotencyKey'].filter(Boolean).join(', ')})`;
  const fields = Object.entries(roots).flatMap(([kind, type]) =>
    Object.values(type?.getFields() ?? {}).map(({ name, args }) => {
      const taken = Object.fromEntries(args.map((argument) => [argument.name, getNamedType(argument.type)]));
      const input = isInputObjectType(taken.input) ? taken.input.getFields() : {};
      return spell(kind, name, 'mediaPublicId' in { ...input, ...taken }, 'idempotencyKey' in taken);
    }),
  );
  const rows = Object.entries(operations).map(([field, { type, isMediaChecked }]) =>
    spell(type, field, isMediaChecked, type === 'mutation'),
  );
  const unlike = [
    ...fields.filter((each) => !rows.includes(each)).map((each) => `field ${each}`),
    ...rows.filter((each) => !fields.includes(each)).map((each) => `row ${each}`),
  ];
  if (unlike.length > 0)
    throw new Error(
      `${unlike.join(', ')}: a root field needs a row in operations.ts that fits its arguments, and its resolver class a place in graphql/schema.ts`,
    );
}

export const printSdl = (): string =>
  `${printSchemaWithDirectives(lexicographicSortSchema(buildSchema()))}\n`;
