import { gql, InMemoryCache, type TypedDocumentNode } from '@apollo/client';
import { describe, expect, it } from '@jest/globals';
import {
  buildASTSchema,
  type DocumentNode,
  getNamedType,
  getNullableType,
  type GraphQLObjectType,
  isListType,
  isObjectType,
  Kind,
  OperationTypeNode,
  parse,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { readFileSync } from 'node:fs';
import { typePolicies } from '../../schema/client/src/apollo.js';
import * as exported from '../../schema/client/src/index.js';
import { UpdateCompanyDocument, UpdateJobDocument } from '../../schema/client/src/index.js';

const sdl = readFileSync(new URL('../../schema/schema.graphql', import.meta.url), 'utf8');
const schema = buildASTSchema(parse(sdl));
const types = Object.values(schema.getTypeMap()).filter(isObjectType);

const documents = Object.values<unknown>(exported).filter(
  (each): each is DocumentNode => typeof each === 'object' && each !== null && 'definitions' in each,
);

/** The selected fields, each as `Type.field`. */
function fieldsOf(...asked: DocumentNode[]): Set<string> {
  const fields = new Set<string>();
  for (const document of asked) {
    const info = new TypeInfo(schema);
    const take = visitWithTypeInfo(info, {
      Field: ({ name }) => void fields.add(`${info.getParentType()?.name}.${name.value}`),
    });
    visit(document, take);
  }
  return fields;
}

const ofPages = ['first', 'after'];

describe('the cache policies', () => {
  it('page through every connection, with one list per set of arguments except first and after', () => {
    const lists = types.flatMap((type) =>
      Object.values(type.getFields())
        .filter((field) => /Connection!?$/.test(String(field.type)))
        .map(({ name, args }) => ({
          list: `${type.name}.${name}`,
          by: args.map((arg) => arg.name).filter((arg) => !ofPages.includes(arg)),
        })),
    );
    expect(lists.map(({ list }) => list).sort()).toEqual([
      'Company.history',
      'Company.jobs',
      'Job.history',
      'Media.companies',
      'Media.jobs',
      'Query.changes',
      'Query.companies',
      'Query.jobs',
      'Query.media',
    ]);
    for (const { list, by } of lists) {
      const [type = '', field = ''] = list.split('.');
      const { keyArgs } = typePolicies[type]?.fields?.[field] as { keyArgs: readonly string[] | false };
      expect({ list, by: [...(keyArgs || [])].sort() }).toEqual({ list, by: by.sort() });
    }
  });

  it('leave every type with an id to it, and every document asks for the id (Contract 4.2.1)', () => {
    const withId = types.filter((type) => 'id' in type.getFields()).map(({ name }) => name);
    expect(withId.sort()).toEqual(['Company', 'Job', 'JobCompany', 'Media', 'Reference']);
    for (const policy of Object.values(typePolicies)) expect(policy).not.toHaveProperty('keyFields');
    for (const document of documents) {
      const fields = fieldsOf(document);
      const asked = withId.filter((name) => [...fields].some((field) => field.startsWith(`${name}.`)));
      const lacking = asked.filter((name) => !fields.has(`${name}.id`) && !fields.has('Node.id'));
      expect(lacking).toEqual([]);
    }
  });

  it('keep fields that another document selected in a nested object', () => {
    const isPart = (type: GraphQLObjectType) =>
      !['id', 'publicId', 'edges'].some((field) => field in type.getFields());
    const parts = new Set<string>();
    const find = (type: GraphQLObjectType): void => {
      for (const field of Object.values(type.getFields())) {
        const below = getNamedType(field.type);
        if (!isObjectType(below) || /Connection$/.test(below.name)) continue;
        // Merging an object with its replacement would mix fields of both.
        if (!isPart(below) || isListType(getNullableType(field.type))) continue;
        if (getNullableType(field.type) === below) parts.add(below.name);
        find(below);
      }
    };
    types.filter(({ name }) => name === 'Job' || name === 'Company').forEach(find);
    const all = ['CompanyContent', 'CompanyVisual', 'JobDescription', 'JobLocation', 'SalaryRange'];
    expect([...parts].sort()).toEqual(all);
    for (const part of parts) expect(typePolicies[part]).toEqual({ merge: true });
    const merged = Object.keys(typePolicies).filter((name) => typePolicies[name]?.merge === true);
    expect(merged.sort()).toEqual([...parts].sort());

    const cache = new InMemoryCache({ typePolicies });
    const asked = (fields: string) => gql`{ job(publicId: "a") { publicId description { ${fields} } } }`;
    const job = { __typename: 'Job', publicId: 'a' };
    const description = { __typename: 'JobDescription', jobDesc: 'long', benefitDesc: 'many' };
    cache.writeQuery({ query: asked('jobDesc benefitDesc'), data: { job: { ...job, description } } });
    const shorter = { __typename: 'JobDescription', jobDesc: 'short' };
    cache.writeQuery({ query: asked('jobDesc'), data: { job: { ...job, description: shorter } } });
    expect(cache.readQuery({ query: asked('jobDesc benefitDesc') })).toEqual({
      job: { ...job, description: { ...description, jobDesc: 'short' } },
    });
  });

  it('update every view after a save: updates select every field that reads select', () => {
    const reads = documents.filter(({ definitions }) =>
      definitions.every(
        (each) => each.kind !== Kind.OPERATION_DEFINITION || each.operation === OperationTypeNode.QUERY,
      ),
    );
    expect(reads.length).toBeGreaterThan(5);
    for (const [type, update] of [
      ['Job', UpdateJobDocument],
      ['Company', UpdateCompanyDocument],
    ] as const) {
      const saved = fieldsOf(update);
      const lost = [...fieldsOf(...reads)].filter(
        (field) => field.startsWith(`${type}.`) && !saved.has(field),
      );
      // Not in an update: a history has pages, and a posting is read when its page is rendered.
      expect(lost.sort()).toEqual([`${type}.history`, ...(type === 'Job' ? ['Job.jobPosting'] : [])]);
    }
  });

  it('continue after a page that ended early or is empty (Contract 4.3.7)', () => {
    interface Jobs {
      jobs: {
        __typename: 'JobConnection';
        edges: { __typename: 'JobEdge'; cursor: string; node: { __typename: 'Job'; publicId: string } }[];
        pageInfo: {
          __typename: 'PageInfo';
          startCursor: string | null;
          endCursor: string | null;
          hasPreviousPage: boolean;
          hasNextPage: boolean;
        };
      };
    }
    const ListDocument: TypedDocumentNode<
      Jobs,
      { mediaPublicId: string; first: number; after?: string | null }
    > = gql`
      query ($mediaPublicId: String!, $first: Int, $after: String) {
        jobs(mediaPublicId: $mediaPublicId, first: $first, after: $after) {
          edges {
            cursor
            node {
              publicId
            }
          }
          pageInfo {
            startCursor
            endCursor
            hasPreviousPage
            hasNextPage
          }
        }
      }
    `;
    const cache = new InMemoryCache({ typePolicies });
    const variables = { mediaPublicId: 'demo-media', first: 3 };
    const page = (ids: string[], after: string | null, hasNextPage: boolean) =>
      cache.writeQuery({
        query: ListDocument,
        variables: { ...variables, after },
        data: {
          jobs: {
            __typename: 'JobConnection' as const,
            edges: ids.map((id) => ({
              __typename: 'JobEdge' as const,
              cursor: id,
              node: { __typename: 'Job' as const, publicId: id },
            })),
            pageInfo: {
              __typename: 'PageInfo' as const,
              startCursor: ids[0] ?? null,
              endCursor: ids.at(-1) ?? after,
              hasPreviousPage: after !== null,
              hasNextPage,
            },
          },
        },
      });
    const read = () => {
      const jobs = cache.readQuery({ query: ListDocument, variables })?.jobs;
      return [
        jobs?.edges.map(({ node }) => node.publicId),
        jobs?.pageInfo.endCursor,
        jobs?.pageInfo.hasNextPage,
      ];
    };
    page(['a', 'b'], null, true);
    expect(read()).toEqual([['a', 'b'], 'b', true]);
    page([], 'b', true);
    expect(read()).toEqual([['a', 'b'], 'b', true]);
    page(['c'], 'b', false);
    expect(read()).toEqual([['a', 'b', 'c'], 'c', false]);
  });
});

it('graphcacheKeys has every type that is a part of a record', () => {
  const parts = types
    .filter((type) => !type.name.startsWith('__') && !('id' in type.getFields()))
    .map(({ name }) => name)
    .filter((name) => !/^(?:Query|Mutation|PageInfo|.*(?:Connection|Edge|Payload))$/.test(name));
  expect(Object.keys(exported.graphcacheKeys).sort()).toEqual(parts.sort());
});
