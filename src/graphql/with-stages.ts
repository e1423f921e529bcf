import { MapperKind, mapSchema } from '@graphql-tools/utils';
import { defaultFieldResolver, getNamedType, type GraphQLFieldConfig, type GraphQLSchema } from 'graphql';
import { type RequestContext, type Stage } from '../permissions/request-context.js';

type FieldConfig = GraphQLFieldConfig<unknown, RequestContext>;

interface Stages {
  /** Of each query and mutation. */
  root: readonly Stage[];
  /** Of a field of any other type. */
  below: (field: FieldConfig) => readonly Stage[];
}

/** Makes each call pass its stages, in their order, before its resolver runs. */
export const withStages = (schema: GraphQLSchema, { root, below }: Stages): GraphQLSchema =>
  mapSchema(schema, {
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

export const isPage = ({ type }: FieldConfig): boolean => getNamedType(type).name.endsWith('Connection');
