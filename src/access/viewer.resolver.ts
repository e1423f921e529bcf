import 'reflect-metadata';
import { type GraphQLResolveInfo } from 'graphql';
import { Ctx, Info, Resolver } from 'type-graphql';
import { selectionOf } from '../fields/selection.js';
import { type Quotas } from './quotas.js';
import { callerOf, type RequestContext } from './request-context.js';
import { RootField } from './root-field.js';
import { ViewerType } from './viewer.types.js';

@Resolver()
export class ViewerResolver {
  constructor(private readonly quotas: Quotas) {}

  @RootField('viewer', () => ViewerType, 'The caller, and what its token allows.')
  async viewer(@Ctx() context: RequestContext, @Info() info: GraphQLResolveInfo): Promise<ViewerType> {
    const { subject, roles, scopes, media, brand, expiresAt } = callerOf(context, 'viewer');
    return {
      subject,
      roles: [...roles],
      scopes: [...scopes],
      media: media ? [...media] : null,
      brand: brand ?? null,
      expiresAt,
      quotas: selectionOf(info).has('quotas') ? await this.quotas.bucketsOf(context) : [],
    };
  }
}
