import 'reflect-metadata';
import { type GraphQLResolveInfo } from 'graphql';
import { Args, Ctx, Info, Resolver } from 'type-graphql';
import { type Caller } from '../tokens/caller.js';
import { callerOf, type RequestContext } from '../permissions/request-context.js';
import { RootField } from '../permissions/root-field.js';
import { selectionOf } from '../fields/selection.js';
import { largestPage, ListRequest, mapPage, type Page } from '../paging/page.js';
import { listComplexity } from '../paging/page-complexity.rules.js';
import { allOf } from '../paging/query.rules.js';
import { toMedia } from './media.rules.js';
import { type MediaService, type ReachedMedia } from './media.service.js';
import { defaultMedia, MediaArguments, MediaConnectionType } from './media-list.graphql.js';
import { type MediaType } from './media.graphql.js';

@Resolver()
export class MediaResolver {
  constructor(
    private readonly media: MediaService,
    private readonly reach: { mediaWithinReach: (caller: Caller) => ReachedMedia },
  ) {}

  @RootField(
    'media',
    () => MediaConnectionType,
    'The media within the caller’s reach: those of its token or, for a brand, those that its companies are in.',
    { complexity: listComplexity({ size: defaultMedia, isCounted: false }) },
  )
  async list(
    @Args(() => MediaArguments) { first, after }: MediaArguments,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Page<MediaType>> {
    const page = { first: first ?? defaultMedia, after };
    const request = new ListRequest(page, context.budget, selectionOf(info));
    const within = this.reach.mediaWithinReach(callerOf(context, 'media'));
    return mapPage(await this.media.page(within, request), toMedia);
  }

  async nodes(
    keys: readonly (readonly [publicId: string])[],
    context: RequestContext,
  ): Promise<(MediaType | null)[]> {
    const { where, having } = this.reach.mediaWithinReach(callerOf(context, 'media'));
    const wanted = { publicId: { $in: keys.map(([publicId]) => publicId) } };
    const request = new ListRequest({ first: largestPage }, context.budget);
    const { edges } = await this.media.page({ where: allOf(where, wanted), having }, request);
    const found = new Map(edges.map(({ node }) => [node.publicId, toMedia(node)]));
    return keys.map(([publicId]) => found.get(publicId) ?? null);
  }
}
