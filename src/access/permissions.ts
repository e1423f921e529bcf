import { MapperKind, mapSchema } from '@graphql-tools/utils';
import { defaultFieldResolver, type GraphQLFieldResolver, type GraphQLSchema } from 'graphql';
import { type IMiddlewareGenerator } from 'graphql-middleware';
import { type DomainError, unauthorized } from '../errors/domain-error.js';
import { type Caller, type Scope } from './caller.js';
import { rule, shield } from './graphql-shield.js';
import { reachesMediaItself, reachIn } from './reach.rules.js';
import { callerOf, type RequestContext } from './request-context.js';
import { type MediaArguments } from './trim-ids.js';

/** What a caller must have, whatever the arguments say. Answers the refusal of a caller who lacks it. */
type Demand = (caller: Caller | null) => DomainError | undefined;

const token: Demand = (caller) => (caller ? undefined : unauthorized({ reason: 'no-token' }));

const scope =
  (...accepted: [Scope, ...Scope[]]): Demand =>
  (caller) =>
    token(caller) ??
    (accepted.some((each) => caller?.scopes.has(each))
      ? undefined
      : unauthorized({ reason: 'insufficient-scope', scope: accepted[0] }));

const roleAndScope =
  (...accepted: [Scope, ...Scope[]]): Demand =>
  (caller) =>
    caller?.roles.size === 0 ? unauthorized() : scope(...accepted)(caller);

const jobReading = roleAndScope('r_jobs', 'r_w_jobs');
const jobUpdating = roleAndScope('r_w_jobs');
const companyReading = roleAndScope('r_companies', 'r_w_companies');
const companyUpdating = roleAndScope('r_w_companies');

/** Who may call what (Contract 5.2, 5.6, 5.7): a resolver without a rule here is denied. A rule answers true or throws. */
export function permissions(
  media: { find: (publicId: string) => Promise<object | null> },
  companies: { hasAnyWithinReach: (caller: Caller, mediaPublicId: string) => Promise<boolean> },
): IMiddlewareGenerator<unknown, RequestContext, unknown> {
  /** Answers a media that does not exist like one out of reach. One that is not named passes: the field checks report it. */
  const reachesNamedMedia = async (args: MediaArguments, context: RequestContext) => {
    const publicId = args.input?.mediaPublicId ?? args.mediaPublicId ?? '';
    if (publicId === '' && (args.input || context.readFaults.length > 0)) return true;
    const caller = callerOf(context);
    return (
      reachIn(caller, publicId).length > 0 &&
      (await media.find(publicId)) !== null &&
      (reachesMediaItself(caller, publicId) || (await companies.hasAnyWithinReach(caller, publicId)))
    );
  };

  const permit = (demand: Demand, reaches?: typeof reachesNamedMedia) =>
    rule()(async (_parent, args: MediaArguments, context: RequestContext) => {
      const refusal =
        demand(context.caller) ?? (reaches && !(await reaches(args, context)) ? unauthorized() : undefined);
      // It has spent no unit, so it counts as a failure (Contract 8.3).
      if (refusal) throw context.countFailure() ?? refusal;
      return true;
    });

  return shield(
    {
      Query: {
        viewer: permit(token),
        errors: permit(token),
        references: permit(scope('r_jobs', 'r_w_jobs', 'r_companies', 'r_w_companies')),
        company: permit(companyReading, reachesNamedMedia),
        companies: permit(companyReading, reachesNamedMedia),
        jobs: permit(jobReading, reachesNamedMedia),
        job: permit(jobReading),
      },
      Mutation: {
        updateCompany: permit(companyUpdating, reachesNamedMedia),
        updateJob: permit(jobUpdating, reachesNamedMedia),
      },
      // A caller who may read the record may read its history.
      Company: { history: permit(token) },
      Job: { history: permit(token) },
    },
    {
      // Errors are thrown as they are: the error formatter alone decides what a caller may see of them.
      debug: true,
      fallbackRule: permit(() => unauthorized()),
    },
  );
}

/** Fields without a resolver that are shown only to some of those who may read the record (Contract 5.8). */
const guardedFields: Record<string, Demand> = {
  'Job.managerEmails': jobUpdating,
  'Job.recruiterEmails': jobUpdating,
};

/**
 * The schema with those fields guarded. Shield would answer each by a promise, and a page could not be completed in one go.
 * @throws Error for a guard of a field that the schema does not have, since it would guard nothing
 */
export function guardFields(schema: GraphQLSchema): GraphQLSchema {
  const unused = new Set(Object.keys(guardedFields));
  const guarded = mapSchema(schema, {
    [MapperKind.OBJECT_FIELD]: (field, name, type) => {
      const place = `${type}.${name}`;
      const demand = guardedFields[place];
      unused.delete(place);
      return demand && { ...field, resolve: onlyFor(demand) };
    },
  });
  if (unused.size > 0) throw new Error(`there is no field ${[...unused].join(', ')} to guard`);
  return guarded;
}

const onlyFor =
  (demand: Demand): GraphQLFieldResolver<unknown, RequestContext> =>
  (parent, args, context, info) => {
    const refusal = demand(context.caller);
    // The record that it belongs to has spent a unit.
    if (refusal) throw refusal;
    return defaultFieldResolver(parent, args, context, info);
  };
