import 'reflect-metadata';
import { type GraphQLResolveInfo } from 'graphql';
import { Args, Ctx, Extensions, FieldResolver, Info, Resolver, Root } from 'type-graphql';
import { type RequestContext } from '../permissions/request-context.js';
import { CompanyConnectionType, CompanyListArguments } from '../company/company-list.graphql.js';
import { comparesBehind as comparesCompanies } from '../company/company-list.js';
import { type CompanyResolver } from '../company/company.resolver.js';
import { CompanyType } from '../company/company.graphql.js';
import { MediaType } from '../media/media.graphql.js';
import { type Page } from '../paging/page.js';
import { listComplexity, nestedList } from '../paging/page-complexity.rules.js';
import { CompanyJobsArguments, JobConnectionType, JobListArguments } from './job-list.graphql.js';
import { comparesBehind as comparesJobs } from './job-list.js';
import { type JobListResolver } from './job-list.resolver.js';
import { type JobType } from './job.graphql.js';

/** The fields of the root with the same lists. */
interface Lists {
  Company: CompanyResolver;
  Job: JobListResolver;
}

@Resolver(() => CompanyType)
export class CompanyListsResolver {
  constructor(private readonly lists: Lists) {}

  @Extensions({ for: 'jobs' })
  @FieldResolver(() => JobConnectionType, {
    nullable: true,
    description: 'The company’s jobs in this media that are within the caller’s reach.',
    complexity: listComplexity({ own: nestedList, comparesBehind: comparesJobs }),
  })
  async jobs(
    @Root() { jobs: { mediaPublicId, companyPublicId } }: CompanyType,
    @Args(() => CompanyJobsArguments) { filter, ...page }: CompanyJobsArguments,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Page<JobType>> {
    const ofCompany = { ...filter, companyPublicIds: [companyPublicId] };
    return this.lists.Job.list({ mediaPublicId }, { ...page, filter: ofCompany }, context, info);
  }
}

@Resolver(() => MediaType)
export class MediaListsResolver {
  constructor(private readonly lists: Lists) {}

  @Extensions({ for: 'companies' })
  @FieldResolver(() => CompanyConnectionType, {
    nullable: true,
    description: 'The companies of the media that are within the caller’s reach.',
    complexity: listComplexity({ own: nestedList, comparesBehind: comparesCompanies }),
  })
  async companies(
    @Root() { publicId }: MediaType,
    @Args(() => CompanyListArguments) args: CompanyListArguments,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Page<CompanyType>> {
    return this.lists.Company.list({ mediaPublicId: publicId }, args, context, info);
  }

  @Extensions({ for: 'jobs' })
  @FieldResolver(() => JobConnectionType, {
    nullable: true,
    description: 'The jobs of the media that are within the caller’s reach.',
    complexity: listComplexity({ own: nestedList, comparesBehind: comparesJobs }),
  })
  async jobs(
    @Root() { publicId }: MediaType,
    @Args(() => JobListArguments) args: JobListArguments,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Page<JobType>> {
    return this.lists.Job.list({ mediaPublicId: publicId }, args, context, info);
  }
}
