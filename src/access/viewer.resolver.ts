import { Ctx, Directive, Query, Resolver } from 'type-graphql';
import { callerOf, type RequestContext } from './request-context.js';
import { ViewerType } from './viewer.types.js';

@Resolver()
export class ViewerResolver {
  @Directive('@rateLimit(limit: 50, duration: 1)')
  @Query(() => ViewerType, { nullable: true, description: 'Who calls, and what the token allows.' })
  viewer(@Ctx() context: RequestContext): ViewerType {
    const { subject, roles, scopes, media, brand, expiresAt } = callerOf(context);
    return {
      subject,
      roles: [...roles],
      scopes: [...scopes],
      media: media ? [...media] : null,
      brand: brand ?? null,
      expiresAt,
    };
  }
}
