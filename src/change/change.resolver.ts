import 'reflect-metadata';
import { type GraphQLResolveInfo } from 'graphql';
import { Args, Ctx, Info, Resolver } from 'type-graphql';
import { callerOf, lackOf, type RequestContext } from '../permissions/request-context.js';
import { RootField } from '../permissions/root-field.js';
import { selectionOf } from '../fields/selection.js';
import { type Page, PageRequest } from '../paging/page.js';
import { listComplexity } from '../paging/page-complexity.rules.js';
import { operations } from '../operations.js';
import { type Change } from './change-sources.js';
import { type ChangeService } from './change.service.js';
import { ChangeConnectionType, ChangesArguments, defaultChanges } from './change.graphql.js';

@Resolver()
export class ChangeResolver {
  constructor(private readonly changes: ChangeService) {}

  @RootField(
    'changes',
    () => ChangeConnectionType,
    'The jobs and companies of a media that the caller may read, in the order of their last change, up to 5 s before now. A caller that continues after the last cursor gets each record that has changed since, at least once.',
    { complexity: listComplexity({ own: 770, size: defaultChanges }) },
  )
  async list(
    @Args(() => ChangesArguments) { mediaPublicId: media, first, after }: ChangesArguments,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Page<Change>> {
    const page = { first: first ?? defaultChanges, after };
    const request = new PageRequest(page, context.budget, selectionOf(info), context.parseFaults);
    const kinds = (['job', 'company'] as const).filter((kind) => !lackOf(context.caller, operations[kind]));
    return this.changes.page(callerOf(context, 'changes'), { media, kinds }, request);
  }
}
