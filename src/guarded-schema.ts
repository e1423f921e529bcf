import { type GraphQLSchema } from 'graphql';
import { applyMiddlewareToDeclaredResolvers } from 'graphql-middleware';
import { type Admission } from './access/admission.js';
import { guardFields, permissions } from './access/permissions.js';
import { type Quotas } from './access/quotas.js';
import { ViewerResolver } from './access/viewer.resolver.js';
import { ChangeResolver } from './change/change.resolver.js';
import { CompanyResolver } from './company/company.resolver.js';
import { receiveLogo } from './company/logo/receive-logo.middleware.js';
import { boundAnswer } from './graphql/bounds/bound-answer.js';
import { ErrorResolver } from './graphql/error.resolver.js';
import { repeat, rootFieldMiddleware } from './graphql/root-field.middleware.js';
import { buildSchema } from './graphql/schema.js';
import { JobResolver } from './job/job.resolver.js';
import { CompanyListsResolver, MediaListsResolver } from './job/nested-lists.resolver.js';
import { MediaResolver } from './media/media.resolver.js';
import { NodeResolver } from './graphql/node.resolver.js';
import { type Metrics } from './metrics/metrics.js';
import { ReferenceResolver } from './reference/reference.resolver.js';
import { type Services } from './services.js';
import { type Tracing } from './tracing/start-tracing.js';

interface Guards {
  quotas: Quotas;
  admission: Admission;
  metrics: Metrics;
  tracing: Tracing | undefined;
}

/**
 * The schema that both APIs execute. Calls pass the stages below, outermost first. Calls without permission and repeated calls end before
 * they use quota (Contract 7.6).
 */
export function createGuardedSchema(
  services: Services,
  { quotas, admission, metrics, tracing }: Guards,
): GraphQLSchema {
  const { companies, companyHistory, jobs, jobHistory, jobPresenter, references, media, intake, logoUrlOf } =
    services;
  const readers = {
    Media: new MediaResolver(media, companies),
    Company: new CompanyResolver(companies, logoUrlOf, companyHistory, references),
    Job: new JobResolver(jobs, jobPresenter, jobHistory),
  };
  const schema = buildSchema([
    new ViewerResolver(quotas),
    new ErrorResolver(),
    new ReferenceResolver(references),
    readers.Media,
    new MediaListsResolver(readers),
    readers.Company,
    new CompanyListsResolver(readers),
    readers.Job,
    new NodeResolver(readers),
    new ChangeResolver(services.changes),
  ]);
  const observed = rootFieldMiddleware(metrics, tracing);
  const bounded = boundAnswer(references);
  const guarded = applyMiddlewareToDeclaredResolvers(
    // The innermost stage: the rate limit directive spends the units of the operation.
    quotas.guard(schema),
    { Query: observed, Mutation: observed },
    { Query: quotas.settle, Mutation: quotas.settle },
    permissions(admission, media, companies),
    // Runs before the call counts as in flight; otherwise slow uploads would keep other calls out (Contract 8.6.5).
    { Mutation: { updateCompany: receiveLogo(intake) } },
    { Query: admission.takePlace, Mutation: admission.takePlace },
    {
      Query: bounded,
      Mutation: bounded,
      Company: { history: bounded, jobs: bounded },
      Media: { companies: bounded, jobs: bounded },
      Job: { history: bounded },
    },
    { Mutation: repeat(services.idempotency, quotas) },
  );
  return guardFields(guarded);
}
