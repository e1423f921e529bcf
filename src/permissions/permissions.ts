import { type GraphQLResolveInfo, type GraphQLSchema } from 'graphql';
import type * as GraphqlShield from 'graphql-shield';
import { createRequire } from 'node:module';
import { DomainError, outOfReach } from '../errors/domain-error.js';
import { type Operation, operations, type RootFieldName } from '../operations.js';
import { type Admission } from './admission.js';
import { type Caller } from '../tokens/caller.js';
import { reachesMediaItself, reachIn } from './reach.rules.js';
import { callerOf, lackOf, type RequestContext, type Stage } from './request-context.js';

// The ES modules of graphql-shield 7.6.5 import `isUndefined` from `util`, which Node.js 23 removed. The CommonJS build calls
// `isUndefined` only in `chain` and `race`, which we don't use. A test fails once the package is fixed.
const commonJs = createRequire(import.meta.url)('graphql-shield') as typeof GraphqlShield;
const { rule, shield } = commonJs;

const allow = rule()(() => true);

interface NamedMedia {
  mediaPublicId?: string;
  input?: { mediaPublicId?: string | null };
}

/** Decides who may call what, with graphql-shield. Denies resolvers without a rule. */
export function authorize(
  schema: GraphQLSchema,
  { assertOpen }: Pick<Admission, 'assertOpen'>,
  media: { find: (publicId: string) => Promise<object | null> },
  companies: { hasAnyWithinReach: (caller: Caller, mediaPublicId: string) => Promise<boolean> },
): Stage {
  /** Treats a missing media as out of reach. An update that names no media passes, because its service checks the record. */
  const reachesNamedMedia = async (
    args: NamedMedia,
    context: RequestContext,
    { fieldName }: GraphQLResolveInfo,
  ) => {
    const publicId = args.input?.mediaPublicId ?? args.mediaPublicId ?? '';
    if (publicId === '' && (args.input || context.parseFaults.length > 0)) return true;
    const caller = callerOf(context, fieldName as RootFieldName);
    return (
      reachIn(caller, publicId).length > 0 &&
      // First, so that an absent media takes as long as one without a company within reach.
      (reachesMediaItself(caller, publicId) || (await companies.hasAnyWithinReach(caller, publicId))) &&
      (await media.find(publicId)) !== null
    );
  };

  const ruleOf = (field: RootFieldName) => {
    const operation: Operation = operations[field];
    return rule()(async (_parent, args: NamedMedia, context: RequestContext, info: GraphQLResolveInfo) => {
      // A call without a token is rejected below, even while the database is away.
      if (context.caller) assertOpen();
      const lack = lackOf(context.caller, operation);
      if (lack) throw beforeQuota(lack);
      if (operation.isMediaChecked && !(await reachesNamedMedia(args, context, info)))
        throw beforeQuota(outOfReach());
      return true;
    });
  };
  const rulesOf = (kind: Operation['type']) =>
    Object.fromEntries(
      (Object.keys(operations) as RootFieldName[])
        .filter((field) => operations[field].type === kind)
        .map((field) => [field, ruleOf(field)]),
    );

  const rules = shield<unknown, RequestContext, unknown>(
    {
      Query: rulesOf('query'),
      Mutation: rulesOf('mutation'),
      // Callers that can read the record can read these fields.
      Company: { history: allow, jobs: allow, sizeReference: allow, sectorReferences: allow },
      Job: { history: allow, jobPosting: allow },
      Media: { companies: allow, jobs: allow },
    },
    {
      // Pass errors on unchanged: the error formatter decides what callers see.
      debug: true,
      fallbackRule: rule()(() => {
        throw beforeQuota(outOfReach());
      }),
    },
  );
  const byType = rules.generate(schema) as Record<string, Record<string, Stage>>;
  return (next, parent, args, context, info) => {
    const stage = byType[info.parentType.name]?.[info.fieldName];
    if (!stage) throw new Error(`${info.parentType.name}.${info.fieldName} has no rule`);
    return stage(next, parent, args, context, info);
  };
}

/** Such a refusal spends no quota, so it counts as a failure. */
const beforeQuota = ({ code, details }: DomainError) =>
  new DomainError(code, { ...details, isFailure: true });

/**
 * Guards a field that needs more authority than its record. Does not use shield: it returns a promise for each field, so a
 * page could not complete synchronously.
 */
export const requires =
  (operation: RootFieldName): Stage =>
  (next, parent, args, context, info) => {
    const refusal = lackOf(context.caller, operations[operation]);
    // Don't count this refusal as a failure: reading the record has spent a unit.
    if (refusal) throw refusal;
    return next(parent, args, context, info);
  };
