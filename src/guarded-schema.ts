import 'reflect-metadata';
import { type GraphQLSchema } from 'graphql';
import { applyMiddlewareToDeclaredResolvers } from 'graphql-middleware';
import { type Admission } from './access/admission.js';
import { guardFields, permissions } from './access/permissions.js';
import { bucketOf, type Quotas } from './access/quotas.js';
import { type Middleware } from './access/request-context.js';
import { trimIds } from './access/trim-ids.js';
import { ViewerResolver } from './access/viewer.resolver.js';
import { boundPayloads } from './graphql/bound-payloads.js';
import { CompanyResolver } from './company/company.resolver.js';
import { receiveLogo } from './company/logo/receive-logo.middleware.js';
import { ErrorResolver } from './graphql/error.resolver.js';
import { addPathToRefusals } from './graphql/add-path-to-refusals.js';
import { buildSchema } from './graphql/schema.js';
import { idempotency } from './idempotency/idempotency.middleware.js';
import { JobResolver } from './job/job.resolver.js';
import { measureOperations } from './metrics/measure.js';
import { type Metrics } from './metrics/metrics.js';
import { ReferenceResolver } from './reference/reference.resolver.js';
import { type Services } from './services.js';
import { type Tracing } from './tracing/start-tracing.js';

/** Guards as one, outermost first: the schema is built anew for each that is applied by itself, 5 ms of a start. */
const inTurn = (...guards: Middleware[]): Middleware =>
  guards.reduceRight(
    (inner, outer) =>
      (resolve, ...call) =>
        outer((...given) => inner(resolve, ...(given as typeof call)) as unknown, ...call),
  );

interface Guards {
  quotas: Quotas;
  admission: Admission;
  metrics: Metrics;
  tracing: Tracing | undefined;
  logoUrlOf: (hash: string) => string;
}

/**
 * The schema that both doors execute, with what stands around its resolvers. Outermost first: each guard runs before
 * those below it, and sees what they answer or throw. So a caller without authority is refused, and a repeated call is
 * answered, before it would spend a unit of the quota (Contract 7.6).
 */
export function createGuardedSchema(
  services: Services,
  { quotas, admission, metrics, tracing, logoUrlOf }: Guards,
): GraphQLSchema {
  const { companies, companyHistory, jobs, jobHistory, jobPresenter, references, media, intake } = services;
  const schema = buildSchema([
    new ViewerResolver(quotas),
    new ErrorResolver(),
    new ReferenceResolver(references),
    new CompanyResolver(companies, logoUrlOf, companyHistory),
    new JobResolver(jobs, jobPresenter, jobHistory),
  ]);
  const outermost = inTurn(
    addPathToRefusals,
    trimIds,
    ...(tracing ? [tracing.operation] : []),
    measureOperations(metrics),
    admission.assertOpen,
  );
  const repeated = idempotency(services.idempotency, (info, context) =>
    quotas.spend(bucketOf(info), context),
  );
  const guarded = applyMiddlewareToDeclaredResolvers(
    quotas.guard(schema),
    { Query: outermost, Mutation: outermost },
    permissions(media, companies),
    { Mutation: { updateCompany: receiveLogo(intake) } },
    { Query: admission.bound, Mutation: inTurn(admission.bound, boundPayloads, repeated) },
  );
  return guardFields(guarded);
}
