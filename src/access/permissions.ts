import { type IMiddlewareGenerator } from 'graphql-middleware';
import { type DomainError, unauthorized } from '../errors/domain-error.js';
import { type Caller, type Scope } from './caller.js';
import { chain, rule, shield } from './graphql-shield.js';
import { reachesMediaItself, reachIn } from './reach.rules.js';
import { callerOf, type RequestContext } from './request-context.js';
import { type MediaArguments } from './trim-media-id.js';

/**
 * Who may call what (Contract 5.2, 5.4, 5.6): a resolver without a rule here is denied. A rule answers true or throws;
 * none is cached, since each costs less than its cache.
 */
export function permissions(
  media: { find: (publicId: string) => Promise<object | null> },
  companies: { hasAnyWithinReach: (caller: Caller, mediaPublicId: string) => Promise<boolean> },
): IMiddlewareGenerator<unknown, RequestContext, unknown> {
  const isAuthenticated = rule({ cache: 'no_cache' })(async (_parent, _args, context: RequestContext) => {
    if (context.caller) return true;
    throw await refusal(context, { reason: 'no-token' });
  });

  const hasRole = rule({ cache: 'no_cache' })(async (_parent, _args, context: RequestContext) => {
    if (callerOf(context).roles.size === 0) throw await refusal(context);
    return true;
  });

  const hasScope = (...accepted: [Scope, ...Scope[]]) =>
    rule({ cache: 'no_cache' })(async (_parent, _args, context: RequestContext) => {
      const { scopes } = callerOf(context);
      if (accepted.some((scope) => scopes.has(scope))) return true;
      throw await refusal(context, { reason: 'insufficient-scope', scope: accepted[0] });
    });

  /**
   * Answers a media that does not exist like one out of reach. A request that names no media passes: the field checks
   * report it.
   */
  const reachesNamedMedia = rule({ cache: 'no_cache' })(async (
    _parent,
    args: MediaArguments,
    context: RequestContext,
  ) => {
    const publicId = args.input?.mediaPublicId ?? args.mediaPublicId ?? '';
    if (publicId === '' && (args.input || context.readFaults.length > 0)) return true;
    const caller = callerOf(context);
    const isReached =
      reachIn(caller, publicId).length > 0 &&
      (await media.find(publicId)) !== null &&
      (reachesMediaItself(caller, publicId) || (await companies.hasAnyWithinReach(caller, publicId)));
    if (!isReached) throw await refusal(context);
    return true;
  });

  const mayUpdateJobs = chain(isAuthenticated, hasRole, hasScope('r_w_jobs'));
  return shield(
    {
      Query: {
        viewer: isAuthenticated,
        errors: isAuthenticated,
        references: chain(isAuthenticated, hasScope('r_jobs', 'r_w_jobs', 'r_companies', 'r_w_companies')),
        company: chain(isAuthenticated, hasRole, hasScope('r_companies', 'r_w_companies'), reachesNamedMedia),
        companies: chain(
          isAuthenticated,
          hasRole,
          hasScope('r_companies', 'r_w_companies'),
          reachesNamedMedia,
        ),
        jobs: chain(isAuthenticated, hasRole, hasScope('r_jobs', 'r_w_jobs'), reachesNamedMedia),
        job: chain(isAuthenticated, hasRole, hasScope('r_jobs', 'r_w_jobs')),
      },
      Mutation: {
        updateCompany: chain(isAuthenticated, hasRole, hasScope('r_w_companies'), reachesNamedMedia),
        updateJob: chain(mayUpdateJobs, reachesNamedMedia),
      },
      // A caller who may read the record may read its history.
      Company: { history: isAuthenticated },
      Job: { history: isAuthenticated, managerEmails: mayUpdateJobs, recruiterEmails: mayUpdateJobs },
    },
    {
      // Errors pass unchanged: the error formatter alone decides what a caller may see of them.
      debug: true,
      fallbackRule: rule({ cache: 'no_cache' })(async (_parent, _args, context: RequestContext) => {
        throw await refusal(context);
      }),
    },
  );
}

/**
 * The error for a call beyond the caller's authority. A call that has spent no unit is counted as a failure (Contract
 * 8.3).
 */
async function refusal(
  { buckets, countFailure }: RequestContext,
  reason?: Parameters<typeof unauthorized>[0],
): Promise<DomainError> {
  return (buckets.size === 0 ? await countFailure() : null) ?? unauthorized(reason);
}
