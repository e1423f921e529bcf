import 'reflect-metadata';
import { type GraphQLResolveInfo } from 'graphql';
import { Args, Ctx, Extensions, FieldResolver, Info, Resolver, Root } from 'type-graphql';
import { type RequestContext } from '../access/request-context.js';
import { MediaType } from '../media/media.types.js';
import { type Page } from '../paging/page.js';
import { CompanyConnectionType, CompanyListArguments } from './company-list.types.js';
import { type CompanyResolver } from './company.resolver.js';
import { type CompanyType } from './company.types.js';

@Resolver(() => MediaType)
export class MediaCompaniesResolver {
  constructor(private readonly lists: CompanyResolver) {}

  @Extensions({ for: 'companies' })
  @FieldResolver(() => CompanyConnectionType, {
    nullable: true,
    description: 'The companies of the media that are within the caller’s reach.',
  })
  async companies(
    @Root() { publicId }: MediaType,
    @Args(() => CompanyListArguments) args: CompanyListArguments,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Page<CompanyType>> {
    return this.lists.page(publicId, args, context, info);
  }
}
