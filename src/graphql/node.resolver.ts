import 'reflect-metadata';
import { type GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, ID, Info, Resolver } from 'type-graphql';
import { lackOf, type RequestContext } from '../permissions/request-context.js';
import { RootField } from '../permissions/root-field.js';
import { DomainError } from '../errors/domain-error.js';
import { fieldFault, onArgument } from '../errors/field-fault.js';
import { rootComplexity } from '../fields/complexity.rules.js';
import { NodeType } from '../fields/field.graphql.js';
import { type NodeKey, type NodeTypeName, readNodeId } from '../fields/row.rules.js';
import { type Selection, selectionOnType } from '../fields/selection.js';
import { operations } from '../operations.js';
import { largestPage } from '../paging/page.js';
import { recordComplexity } from '../paging/page-complexity.rules.js';

/** The operation that a caller must be allowed to run to read a kind of node. */
const operationFor = { Job: 'job', Company: 'company', Media: 'media' } as const;

interface NodeReader {
  nodes(
    keys: readonly NodeKey['key'][],
    context: RequestContext,
    selection: Selection,
  ): Promise<(object | null)[]>;
}

@Resolver()
export class NodeResolver {
  constructor(private readonly readers: Record<NodeTypeName, NodeReader>) {}

  @RootField(
    'node',
    () => NodeType,
    'The record with this id. Null if the id is malformed, or if the record is absent or outside the caller’s reach or scopes.',
  )
  async node(
    @Arg('id', () => ID, { description: 'Id of a node.' }) id: string,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<object | null> {
    const [node = null] = await this.read([id], context, info);
    return node;
  }

  @RootField(
    'nodes',
    () => [NodeType],
    'The records with these ids, in the same order, each null where `node` would be.',
    {
      nullable: 'items',
      complexity: ({ args, childComplexity }) =>
        rootComplexity +
        Math.min(largestPage, (args.ids as unknown[]).length) * (recordComplexity + childComplexity),
    },
  )
  async nodes(
    @Arg('ids', () => [ID], { description: `Ids of nodes, at most ${largestPage}.` }) ids: string[],
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<(object | null)[]> {
    if (ids.length > largestPage) {
      const tooMany = fieldFault.tooMany('ids', largestPage, { en: 'ids', fr: 'identifiants' });
      throw new DomainError('validation-failed', { faults: [onArgument(tooMany)] });
    }
    return this.read(ids, context, info);
  }

  /** Reads each kind with one command, and the companies of jobs with another. A record that the caller cannot read is null. */
  private async read(ids: readonly string[], context: RequestContext, info: GraphQLResolveInfo) {
    const nodes = new Map<string, object | null>();
    const readable = [...new Set(ids)].flatMap((id) => {
      const key = readNodeId(id);
      return key ? [{ id, ...key }] : [];
    });
    for (const kind of Object.keys(operationFor) as NodeTypeName[]) {
      const ofKind = readable.filter((each) => each.typeName === kind);
      if (ofKind.length === 0 || lackOf(context.caller, operations[operationFor[kind]])) continue;
      const keys = ofKind.map(({ key }) => key);
      const found = await this.readers[kind].nodes(keys, context, selectionOnType(kind, info));
      for (const [index, { id }] of ofKind.entries()) {
        const node = found[index];
        if (node) nodes.set(id, { ...node, __typename: kind });
      }
    }
    return ids.map((id) => nodes.get(id) ?? null);
  }
}
