import { MapperKind, mapSchema } from '@graphql-tools/utils';
import { defaultFieldResolver, type GraphQLFieldResolver, type GraphQLSchema } from 'graphql';
import { type IMiddlewareGenerator } from 'graphql-middleware';
import { mongo } from 'mongoose';
import { DomainError, unauthorized, unavailable } from '../errors/domain-error.js';
import { type Operation, operations, type RootField } from '../operations.js';
import { type Caller } from './caller.js';
import { allow, rule, shield } from './graphql-shield.js';
import { reachesMediaItself, reachIn } from './reach.rules.js';
import { callerOf, type Middleware, type RequestContext } from './request-context.js';

/** The arguments of an operation that name a media, in its input or beside it. */
interface MediaArguments {
  mediaPublicId?: string;
  input?: { mediaPublicId?: string | null };
}

type Authority = Pick<Operation, 'roles' | 'scopes'>;

/** The refusal of a caller who lacks what an operation asks for, whatever its arguments are. */
export function lackOf(caller: Caller | null, { roles, scopes }: Authority): DomainError | undefined {
  if (!caller) return unauthorized({ reason: 'no-token' });
  if (roles && ![...caller.roles].some((role) => roles[role])) return unauthorized();
  if (scopes && !scopes.some((scope) => caller.scopes.has(scope)))
    return unauthorized({ reason: 'insufficient-scope', scope: scopes[0] });
  return undefined;
}

/** Who may call what (Contract 5.2, 5.6, 5.7): a resolver without a rule here is denied. A rule answers true or throws. */
export function permissions(
  /** Throws while no operation is let in. */
  assertOpen: () => void,
  media: { find: (publicId: string) => Promise<object | null> },
  companies: { hasAnyWithinReach: (caller: Caller, mediaPublicId: string) => Promise<boolean> },
): IMiddlewareGenerator<unknown, RequestContext, unknown> {
  /** Answers a media that does not exist like one out of reach. An update that names none passes: its service checks the record. */
  const reachesNamedMedia = async (args: MediaArguments, context: RequestContext, field: RootField) => {
    const publicId = args.input?.mediaPublicId ?? args.mediaPublicId ?? '';
    if (publicId === '' && (args.input || context.readFaults.length > 0)) return true;
    const caller = callerOf(context, field);
    return (
      reachIn(caller, publicId).length > 0 &&
      (await media.find(publicId)) !== null &&
      (reachesMediaItself(caller, publicId) || (await companies.hasAnyWithinReach(caller, publicId)))
    );
  };

  const admit = (field: RootField) => {
    const operation: Operation = operations[field];
    return rule()(async (_parent, args: MediaArguments, context: RequestContext) => {
      // A caller without a token is refused anyway, and that needs no database.
      if (context.caller) assertOpen();
      const refusal =
        lackOf(context.caller, operation) ??
        (operation.isMediaChecked && !(await reachesNamedMedia(args, context, field))
          ? unauthorized()
          : undefined);
      // It has spent no unit, so it counts as a failure (Contract 8.3).
      if (refusal) throw context.countFailure() ?? refusal;
      return true;
    });
  };
  const rulesOf = (kind: Operation['kind']) =>
    Object.fromEntries(
      (Object.keys(operations) as RootField[])
        .filter((field) => operations[field].kind === kind)
        .map((field) => [field, admit(field)]),
    );

  return shield(
    {
      Query: rulesOf('query'),
      Mutation: rulesOf('mutation'),
      // A caller who may read the record may read what its resolvers add.
      Company: { history: allow, sizeReference: allow, sectorReferences: allow },
      Job: { history: allow },
    },
    {
      // Errors are thrown as they are: the error formatter alone decides what a caller may see of them.
      debug: true,
      fallbackRule: rule()((_parent, _args, context: RequestContext) => {
        throw context.countFailure() ?? unauthorized();
      }),
    },
  );
}

/** Fields without a resolver that are shown only to some of those who may read the record (Contract 5.8). */
const guardedFields: Record<string, Authority> = {
  'Job.employer': operations.company,
  'Job.managerEmails': operations.updateJob,
  'Job.recruiterEmails': operations.updateJob,
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
      const authority = guardedFields[place];
      unused.delete(place);
      return authority && { ...field, resolve: onlyFor(authority) };
    },
  });
  if (unused.size > 0) throw new Error(`there is no field ${[...unused].join(', ')} to guard`);
  return guarded;
}

const onlyFor =
  (authority: Authority): GraphQLFieldResolver<unknown, RequestContext> =>
  (parent, args, context, info) => {
    const refusal = lackOf(context.caller, authority);
    // The record that it belongs to has spent a unit.
    if (refusal) throw refusal;
    return defaultFieldResolver(parent, args, context, info);
  };

/** Refuses operations at once while the database is away or too many run, instead of keeping a queue (Contract 11.9). */
export class Admission {
  private inFlight = 0;

  constructor(
    private readonly options: {
      /** Why the database is away, null while it is not. */
      awayReason: () => string | null;
      maxInFlight: number;
      /** Told of each operation that was not let in. */
      onShed: (reason: 'in-flight' | 'database') => void;
    },
  ) {}

  /**
   * Refuses an operation when too many run, and a mutation once those before it in its document have used up the bytes of the
   * answer (Contract 8.4.8). A mutation that has begun is answered whatever is left, since it has changed its record.
   */
  readonly takePlace: Middleware = async (resolve, parent, args, context, info) => {
    const isUpdate = info.parentType.name === 'Mutation';
    if (isUpdate && context.budget.left <= 0) throw new DomainError('payload-too-large');
    if (this.inFlight >= this.options.maxInFlight)
      throw this.shed('in-flight', 'too many operations are under way');
    this.inFlight += 1;
    try {
      const answer: unknown = await resolve(parent, args, context, info);
      if (isUpdate && answer) context.budget.take(mongo.BSON.calculateObjectSize(answer));
      return answer;
    } finally {
      this.inFlight -= 1;
    }
  };

  /** Throws while the database is away, before anything is done for the caller. */
  readonly assertOpen = (): void => {
    const reason = this.options.awayReason();
    if (reason) throw this.shed('database', reason);
  };

  private shed(reason: 'in-flight' | 'database', message: string): DomainError {
    this.options.onShed(reason);
    return unavailable(new Error(message));
  }
}
