import { type Connection } from 'mongoose';
import { companyFields } from '../company/company-fields.rules.js';
import { hasTombstone } from '../change/tombstone.record.js';
import { ChangeService } from '../change/change.service.js';
import { epochOf } from '../change/epoch.js';
import { CompanyListService } from '../company/company-list.service.js';
import { CompanyService } from '../company/company.service.js';
import { LogoIntake } from '../company/logo/logo-intake.js';
import { LogoStore } from '../company/logo/logo-store.js';
import { type FieldTable, inputNames, pathsOf } from '../fields/fields.rules.js';
import { databaseClock } from '../database/clock-skew.js';
import { type ListBounds } from '../database/list.js';
import { collectionOf } from '../database/collection-of.js';
import { databaseOf } from '../database/connect.js';
import { type Models } from '../models.js';
import { HistoryService } from '../history/history.service.js';
import { VersionedRecords } from '../history/versioned-records.js';
import { IdempotencyService } from '../idempotency/idempotency.service.js';
import { jobFields } from '../job/job-fields.rules.js';
import { JobCreationService } from '../job/job-creation.service.js';
import { JobListService } from '../job/job-list.service.js';
import { JobService } from '../job/job.service.js';
import { JobPresenter } from '../job/job.view.js';
import { loadGazetteer } from '../job/location/gazetteer.js';
import { resolveLocalisation } from '../job/location/resolve-localisation.rules.js';
import { MediaService } from '../media/media.service.js';
import { ReferenceService } from '../reference/reference.service.js';
import { type Settings } from '../settings/settings.js';

export type Services = ReturnType<typeof createServices>;

interface ServiceDependencies {
  settings: Settings;
  connection: Connection;
  models: Models;
  clock: () => Date;
  logoUrlOf: (hash: string) => string;
  /** Called for each call that is rejected because too much is under way, with the reason. */
  onShed: (reason: string) => void;
  /** How much of a list one page or count looks at. */
  bounds: ListBounds;
}

/** No service knows whether GraphQL, REST or a command calls it. */
export function createServices({
  settings,
  connection,
  models,
  clock,
  logoUrlOf,
  onShed,
  bounds,
}: ServiceDependencies) {
  // Shorter than the driver's socket timeout, after which the driver would send the query again.
  const queryMs = Math.min(bounds.queryMs, Math.ceil(0.9 * settings.databaseTimeoutMs));
  const history = collectionOf(models.history);
  const media = new MediaService(collectionOf(models.media), clock);
  const references = new ReferenceService(collectionOf(models.references), clock);
  const shared = {
    jobs: collectionOf(models.jobs),
    companies: collectionOf(models.companies),
    references,
    clock,
    listBounds: { ...bounds, queryMs },
  };
  const logoStore = new LogoStore(connection, clock);
  const intake = new LogoIntake(settings.logoMaxBytes);
  const shownChanges = (table: FieldTable, ...hidden: readonly string[]) => ({
    inputNames: inputNames(table),
    hidden: [...pathsOf(table, 'isPersonal'), ...hidden],
  });
  const ofCompanies = shownChanges(companyFields, 'memberships');
  const companyHistory = new HistoryService('company', shared.companies, history, ofCompanies);
  const companies = new CompanyService({
    ...shared,
    versioned: new VersionedRecords('company', models.companies, history),
    history: companyHistory,
    logoStore,
    onLogoShed: () => onShed('logos'),
  });
  const gazetteer = loadGazetteer();
  const ofJobs = shownChanges(jobFields, 'media', 'company');
  const jobHistory = new HistoryService('job', shared.jobs, history, ofJobs);
  const writing = {
    ...shared,
    settings,
    resolveLocation: (localisation: string) => resolveLocalisation(localisation, gazetteer),
  };
  const jobs = new JobService({
    ...writing,
    versioned: new VersionedRecords('job', models.jobs, history),
    history: jobHistory,
  });
  const tombstones = collectionOf(models.tombstones);
  const jobCreation = new JobCreationService({
    ...writing,
    isRemoved: (publicId) => hasTombstone(tombstones, 'job', publicId),
  });
  return {
    logoUrlOf,
    media,
    references,
    logoStore,
    intake,
    companies,
    companyLists: new CompanyListService(shared),
    companyHistory,
    jobs,
    jobCreation,
    jobLists: new JobListService(shared),
    jobHistory,
    jobPresenter: new JobPresenter({ media, references, logoUrlOf, clock }),
    changes: new ChangeService({
      ...shared,
      now: databaseClock(models.media, clock),
      epoch: epochOf(databaseOf(connection)),
      tombstones,
    }),
    idempotency: new IdempotencyService(collectionOf(models.idempotency), clock),
  };
}
