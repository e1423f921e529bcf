import { MapperKind, mapSchema } from '@graphql-tools/utils';
import { defaultFieldResolver, type GraphQLFieldConfig, type GraphQLSchema } from 'graphql';
import { type RequestContext, type Stage } from '../permissions/request-context.js';

type FieldConfig = GraphQLFieldConfig<unknown, RequestContext>;

interface Stages {
  /** The stages of each query and mutation. */
  root: readonly Stage[];
  /** After those, the directives in the schema. */
  directive: (schema: GraphQLSchema) => GraphQLSchema;
  /** The stages of a field of any other type. */
  below: (field: FieldConfig) => readonly Stage[];
}

/** Makes each call pass its stages, in their order, before its resolver runs. */
export const withStages = (schema: GraphQLSchema, { root, directive, below }: Stages): GraphQLSchema =>
  mapSchema(directive(schema), {
    [MapperKind.ROOT_FIELD]: (field: FieldConfig) => withEach(root, field),
    [MapperKind.OBJECT_FIELD]: (field: FieldConfig) => withEach(below(field), field),
  });

function withEach(stages: readonly Stage[], field: FieldConfig): FieldConfig {
  const { resolve = defaultFieldResolver } = field;
  const first = stages.reduceRight<NonNullable<FieldConfig['resolve']>>(
    (next, stage) => (parent, args, context, info) => stage(next, parent, args, context, info),
    resolve,
  );
  return stages.length > 0 ? { ...field, resolve: first } : field;
}

/** Whether the field does more than read a property. */
export const hasResolver = ({ resolve }: FieldConfig): boolean =>
  resolve !== undefined && resolve !== defaultFieldResolver;
