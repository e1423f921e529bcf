import 'reflect-metadata';
import { printSchemaWithDirectives } from '@graphql-tools/utils';
import {
  DirectiveLocation,
  GraphQLDirective,
  GraphQLInt,
  GraphQLNonNull,
  type GraphQLSchema,
  lexicographicSortSchema,
  specifiedDirectives,
} from 'graphql';
import { buildSchemaSync } from 'type-graphql';
import { ViewerResolver } from '../access/viewer.resolver.js';
import { CompanyResolver } from '../company/company.resolver.js';
import { ErrorResolver } from './error.resolver.js';
import { JobResolver } from '../job/job.resolver.js';
import { ReferenceResolver } from '../reference/reference.resolver.js';

const resolverClasses = [
  ViewerResolver,
  ErrorResolver,
  ReferenceResolver,
  CompanyResolver,
  JobResolver,
] as const;

/** Shows the quota of a field that holds unless a setting takes its place; `Quotas` counts (Contract 8.2.5). */
const rateLimit = new GraphQLDirective({
  name: 'rateLimit',
  description: 'How often a caller may ask for it, unless the installation says otherwise.',
  locations: [DirectiveLocation.FIELD_DEFINITION],
  args: {
    limit: { type: new GraphQLNonNull(GraphQLInt), description: 'How many calls pass in one window.' },
    duration: {
      type: new GraphQLNonNull(GraphQLInt),
      description: 'How long a window lasts, in seconds. It begins with the first call.',
    },
  },
});

/** An instance of every resolver class. */
export type Resolvers = readonly InstanceType<(typeof resolverClasses)[number]>[];

/** The schema without guards: what the SDL shows. Resolvers are needed only to execute it. */
export function buildSchema(resolvers: Resolvers = []): GraphQLSchema {
  return buildSchemaSync({
    resolvers: resolverClasses,
    container: { get: (resolverClass) => resolvers.find((resolver) => resolver instanceof resolverClass) },
    // The services check every field at once; a second, reflecting validation would cost a quarter of the throughput.
    validate: false,
    // The list replaces GraphQL's own directives, @include and @skip among them, unless it names them.
    directives: [...specifiedDirectives, rateLimit],
  });
}

/** The SDL as it is committed: sorted, directives included. */
export const printSdl = (): string =>
  `${printSchemaWithDirectives(lexicographicSortSchema(buildSchema()))}\n`;
