import { type GraphQLSchema } from 'graphql';
import { type Admission } from '../permissions/admission.js';
import { authorize, requires } from '../permissions/permissions.js';
import { type Quotas } from '../quotas/quotas.js';
import { ViewerResolver } from '../permissions/viewer.resolver.js';
import { ChangeResolver } from '../change/change.resolver.js';
import { CompanyResolver } from '../company/company.resolver.js';
import { receiveLogo } from '../company/logo/receive-logo.js';
import { observe } from '../graphql/observe.js';
import { replay } from '../graphql/replay.js';
import { buildSchema } from '../graphql/schema.js';
import { hasResolver, withStages } from '../graphql/with-stages.js';
import { JobCreationResolver } from '../job/job-creation.resolver.js';
import { JobListResolver } from '../job/job-list.resolver.js';
import { JobPostingResolver } from '../job/job-posting.resolver.js';
import { JobResolver } from '../job/job.resolver.js';
import { CompanyListsResolver, MediaListsResolver } from '../job/nested-lists.resolver.js';
import { MediaResolver } from '../media/media.resolver.js';
import { NodeResolver } from '../graphql/node.resolver.js';
import { type Metrics } from '../metrics/metrics.js';
import { type RootFieldName } from '../operations.js';
import { ReferenceResolver } from '../reference/reference.resolver.js';
import { type Services } from './services.js';
import { type Tracing } from '../tracing/start-tracing.js';

interface Guards {
  quotas: Quotas;
  admission: Admission;
  metrics: Metrics;
  tracing: Tracing | undefined;
}

/** The schema that both APIs execute: each call passes the stages below, in their order, before its resolver runs. */
export function createGuardedSchema(
  services: Services,
  { quotas, admission, metrics, tracing }: Guards,
): GraphQLSchema {
  const {
    companies,
    companyLists,
    companyHistory,
    jobs,
    jobLists,
    jobCreation,
    jobHistory,
    jobPresenter,
    references,
    media,
    intake,
    logoUrlOf,
  } = services;
  const readers = {
    Media: new MediaResolver(media, companyLists),
    Company: new CompanyResolver(companies, companyLists, logoUrlOf, companyHistory, references),
    Job: new JobListResolver(jobLists, jobPresenter, jobHistory),
  };
  const schema = buildSchema([
    new ViewerResolver(),
    new ReferenceResolver(references),
    readers.Media,
    new MediaListsResolver(readers),
    readers.Company,
    new CompanyListsResolver(readers),
    readers.Job,
    new JobResolver(jobs, jobPresenter),
    new JobCreationResolver(jobCreation, jobPresenter),
    new JobPostingResolver(),
    new NodeResolver(readers),
    new ChangeResolver(services.changes),
  ]);
  const authorized = authorize(schema, admission, media, companyLists);
  return withStages(schema, {
    // In the order that the contract gives to the checks.
    root: [
      observe(metrics, tracing),
      authorized,
      // Before the call counts as in flight: otherwise slow uploads would keep other calls out.
      receiveLogo(intake),
      admission.admit,
      replay(services.idempotency, quotas),
    ],
    // `@rateLimit`, around the resolvers of the root: charges the operation.
    directive: quotas.atDirective,
    below: (field) => [
      ...(field.extensions?.for ? [requires(field.extensions.for as RootFieldName)] : []),
      ...(hasResolver(field) ? [authorized] : []),
    ],
  });
}
