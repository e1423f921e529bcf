import 'reflect-metadata';
import { type GraphQLResolveInfo } from 'graphql';
import { Types } from 'mongoose';
import { Arg, Args, Ctx, FieldResolver, Info, Resolver, Root } from 'type-graphql';
import { callerOf, controlOf, mayUpdate, type RequestContext } from '../permissions/request-context.js';
import { RootField } from '../permissions/root-field.js';
import { type Selection, selectionOf } from '../fields/selection.js';
import { InputArg, UpdateArguments } from '../fields/field.graphql.js';
import { toWarnings } from '../fields/field-reader.rules.js';
import { ListRequest, mapPage, type Page, PageRequest, tooManyIds } from '../paging/page.js';
import { idsByName } from '../paging/field-filter.rules.js';
import { distinctIds } from '../paging/query.rules.js';
import { MediaArgument, PageArguments } from '../paging/page.graphql.js';
import { batchedPage, listComplexity } from '../paging/page-complexity.rules.js';
import { type ReferenceKind, toReference, type ReferenceReader } from '../fields/reference-snapshot.js';
import { type HistoryService } from '../history/history.service.js';
import { HistoryConnectionType, type HistoryEntryType } from '../history/history.graphql.js';
import { assertFaultless } from '../history/versioned-records.js';
import { ReferenceType } from '../reference/reference.graphql.js';
import { CompanyConnectionType, CompanyListArguments } from './company-list.graphql.js';
import { type CompanyListService } from './company-list.service.js';
import { comparesBehind, companyFilters } from './company-list.js';
import { type CompanyService, type CompanyUpdateInput } from './company.service.js';
import { UpdateCompanyInput } from './company-input.graphql.js';
import { CompanyType, UpdateCompanyPayload } from './company.graphql.js';
import { type CompanyContext, companyView } from './company-fields.rules.js';

@Resolver(() => CompanyType)
export class CompanyResolver {
  constructor(
    private readonly companies: CompanyService,
    private readonly lists: CompanyListService,
    private readonly logoUrlOf: (hash: string) => string,
    private readonly histories: HistoryService,
    private readonly references: ReferenceReader,
  ) {}

  @RootField('company', () => CompanyType, 'A company, as one media shows it.')
  async company(
    @Arg('mediaPublicId', () => String, { description: 'Public id of the media.' }) mediaPublicId: string,
    @Arg('publicId', () => String, { description: 'Public id of the company.' }) publicId: string,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<CompanyType> {
    assertFaultless(context.parseFaults);
    const { paths, show } = companyView(selectionOf(info));
    const read = { paths: paths.company, budget: context.budget };
    const company = await this.companies.get(callerOf(context, 'company'), { mediaPublicId, publicId }, read);
    return show({ company, ...this.viewContext(context, mediaPublicId) });
  }

  @RootField(
    'companies',
    () => CompanyConnectionType,
    'The companies of a media within the caller’s reach.',
    {
      complexity: listComplexity({ comparesBehind }),
    },
  )
  async list(
    @Args(() => MediaArgument) { mediaPublicId }: MediaArgument,
    @Args(() => CompanyListArguments) { filter: requested, ...page }: CompanyListArguments,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Page<CompanyType>> {
    const filter = requested ?? {};
    const { publicIds } = filter;
    const { paths, show } = companyView(selectionOf(info, 'edges', 'node'));
    const request = new ListRequest(
      { ...page, ids: distinctIds(publicIds) },
      context.budget,
      selectionOf(info),
      tooManyIds({ publicId: publicIds, ...idsByName(companyFilters, filter) }),
    );
    const caller = callerOf(context, 'companies');
    const found = await this.lists.page(caller, { mediaPublicId, filter }, request, paths.company);
    const around = this.viewContext(context, mediaPublicId);
    return mapPage(found, (company) => show({ company, ...around }));
  }

  @RootField('updateCompany', () => UpdateCompanyPayload, 'Updates a company of a media. Never creates one.')
  async updateCompany(
    @InputArg(() => UpdateCompanyInput, 'The company to update, and its new values.')
    input: CompanyUpdateInput,
    @Args(() => UpdateArguments) args: UpdateArguments,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<UpdateCompanyPayload> {
    // With an idempotency key, read all fields: a repeated call gets the stored reply and may select other fields.
    const { paths, show } = companyView(context.call ? undefined : selectionOf(info, 'company'));
    const caller = callerOf(context, 'updateCompany');
    const control = controlOf(context, args);
    const { company, warnings } = await this.companies.update(caller, input, control, paths.company);
    return {
      company: show({ company, ...this.viewContext(context, input.mediaPublicId) }),
      warnings: toWarnings(warnings, context),
    };
  }

  async nodes(
    keys: readonly (readonly [mediaPublicId: string, publicId: string])[],
    context: RequestContext,
    selection: Selection,
  ): Promise<(CompanyType | null)[]> {
    const { paths, show } = companyView(selection);
    const read = { paths: paths.company ?? new Set<string>(), budget: context.budget };
    const found = await this.lists.findAll(callerOf(context, 'company'), keys, read);
    return found.map(
      (company, index) => company && show({ company, ...this.viewContext(context, keys[index]![0]) }),
    );
  }

  @FieldResolver(() => HistoryConnectionType, {
    nullable: true,
    description: 'Changes to the company, newest first.',
    complexity: listComplexity({ own: batchedPage, isCounted: false }),
  })
  async history(
    @Root() { history }: Pick<CompanyType, 'history'>,
    @Args(() => PageArguments) page: PageArguments,
    @Ctx() { budget }: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Page<HistoryEntryType>> {
    return this.histories.page(history, new PageRequest(page, budget, selectionOf(info)));
  }

  @FieldResolver(() => ReferenceType, {
    nullable: true,
    description: 'Size of the company; null if never set.',
  })
  async sizeReference(
    @Root() { sizeReference, size }: Readonly<CompanyType>,
    @Ctx() context: RequestContext,
  ): Promise<ReferenceType | null> {
    const [reference] = await this.referencesOf('size', [sizeReference ?? size ?? []].flat(), context);
    return reference ?? null;
  }

  @FieldResolver(() => [ReferenceType], { description: 'Sectors of the company.' })
  async sectorReferences(
    @Root() { sectorReferences, sectors }: Readonly<CompanyType>,
    @Ctx() context: RequestContext,
  ): Promise<ReferenceType[]> {
    return this.referencesOf('sector', sectorReferences ?? sectors, context);
  }

  private viewContext(context: RequestContext, mediaPublicId: string): CompanyContext {
    return {
      caller: callerOf(context, 'company'),
      mayUpdate: mayUpdate(context),
      mediaPublicId,
      logoUrlOf: this.logoUrlOf,
    };
  }

  private async referencesOf(kind: ReferenceKind, ids: readonly string[], { language }: RequestContext) {
    const needs = ids.map((id) => ({ kind, id: Types.ObjectId.createFromHexString(id) }));
    const snapshot = await this.references.readStored(needs);
    const found = needs.flatMap(({ id }) => snapshot.find(kind, id) ?? []);
    return found.map((record) => toReference(record, language));
  }
}
