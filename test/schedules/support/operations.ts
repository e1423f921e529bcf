import { createHash, randomUUID } from 'node:crypto';
import { type Connection } from 'mongoose';
import sharp from 'sharp';
import { authorityOf, type Caller } from '../../../src/tokens/caller.js';
import { Quotas } from '../../../src/quotas/quotas.js';
import { OperationCost, type RequestContext } from '../../../src/permissions/request-context.js';
import { archiveExpiredJobs } from '../../../src/archiver/archive-expired-jobs.tasks.js';
import { ChangeService } from '../../../src/change/change.service.js';
import { completeRest } from '../../../src/change/complete-moves.js';
import { type Lease } from '../../../src/change/records-lease.js';
import { leasesOf } from '../../support/lease.js';
import { AnswerBudget } from '../../../src/paging/answer-budget.js';
import { PageRequest } from '../../../src/paging/page.js';
import { collectionOf } from '../../../src/database/collection-of.js';
import { type Models } from '../../../src/models.js';
import { type ImportContext } from '../../../src/exchange/import/plan.js';
import { planCompanies } from '../../../src/exchange/import/plan-company.js';
import { planJobs } from '../../../src/exchange/import/plan-job.js';
import { createWriters } from '../../../src/exchange/import/write-plans.js';
import { type Line } from '../../../src/exchange/read-line.js';
import { type KeyedCall } from '../../../src/idempotency/keyed-call.js';
import { emptyLocation } from '../../../src/job/location/location.js';
import { type Services } from '../../../src/services.js';
import { homeMedia, jobId, newJobId, quota, type Sent, settings, type Told } from './sent.js';

const caller: Caller = {
  subject: 'caller',
  roles: new Set(['media_admin']),
  scopes: new Set(['r_w_jobs', 'r_w_companies']),
  media: new Set(['demo-media']),
  brand: undefined,
  expiresAt: new Date(8.64e15),
};

const counted = new Set(['totalCount', 'edges']);

const logo = sharp({ create: { width: 2, height: 2, channels: 3, background: 'red' } })
  .png()
  .toBuffer();

/** Each operation calls the services as the gateway's APIs, tasks and commands do. */
export function operationsOf({
  services,
  models,
  connection,
  now,
}: {
  services: Services;
  models: Models;
  connection: Connection;
  now: () => Date;
}): Record<Sent['operation'], (sent: Sent) => Promise<Told>> {
  const place = { mediaPublicId: 'demo-media', companyPublicId: 'acme' };
  const controlOf = (sent: Sent, call?: KeyedCall) => ({
    origin: { actor: caller.subject, transport: 'rest' as const, requestId: sent.value },
    unknownFields: [],
    expectedVersion: sent.expectedVersion,
    call,
  });
  const updateJob = async (sent: Sent, call?: KeyedCall): Promise<Told> => {
    const { value: salary, expiresAt } = sent;
    const input = { ...place, jobPublicId: jobId, salary, ...(expiresAt && { expiresAt }) };
    const { job } = await services.jobs.update(caller, input, controlOf(sent, call));
    return { version: job.version, value: job.salary };
  };
  const updateCompany = async (sent: Sent, call?: KeyedCall): Promise<Told> => {
    const unbounded = { mostStoredBytes: Infinity, holdMore: async () => undefined };
    const file = logo.then((bytes) => ({ caller: caller.subject, bytes, ...unbounded }));
    const input = { ...place, description: sent.value, ...(sent.withLogo && { logo: file }) };
    const { company } = await services.companies.update(caller, input, controlOf(sent, call));
    return { version: company.version, value: company.description };
  };
  const keyed = (update: typeof updateJob) => async (sent: Sent) => {
    if (sent.key === undefined) return update(sent);
    const input = createHash('sha256').update(sent.value).digest('base64url');
    const { payload, isReplayed } = await services.idempotency.once(
      { authority: authorityOf(caller), operation: sent.operation, key: sent.key, input },
      (call) => update(sent, call),
    );
    return { ...payload, isReplayed };
  };

  const read = { file: 'records.jsonl', number: 1, faults: [], unknown: [] };
  const importing = (): ImportContext => ({
    models,
    logos: services.logoStore,
    resolveLocation: () => ({ location: emptyLocation, isResolved: true }),
    now,
    settings,
    origin: { actor: 'operator', transport: 'import', requestId: randomUUID() },
    arriving: null,
    identities: new Set<string>(),
    isSecondPass: true,
  });

  /** A scene has one import that moves records, so no other takes the lease over. */
  const lease = async (): Promise<Lease> => {
    const leases = leasesOf(models);
    const { rest = [] } = (await leases.findOne({ _id: 'records' })) ?? {};
    return {
      rest,
      renew: async () => undefined,
      begin: async (moves) =>
        void (await leases.updateOne({ _id: 'records' }, { $set: { rest: moves } }, { upsert: true })),
    };
  };

  return {
    updateJob: keyed(updateJob),
    updateCompany: keyed(updateCompany),
    import: async ({ value, isNew, toMedia }) => {
      const line: Line<'job'> = {
        ...read,
        fields: { salary: value, ...(isNew && { name: 'New' }) },
        own: {
          public_id: isNew ? newJobId : jobId,
          ...(isNew && { media_public_id: homeMedia, company_public_id: 'acme' }),
          ...(toMedia && { media_public_id: toMedia }),
        },
      };
      const own = await lease();
      if (isNew || toMedia) await completeRest(models, own, importing());
      const { job: write } = createWriters(models, services.logoStore, own);
      while ((await write(await planJobs([line], importing()))).length > 0);
      return {};
    },
    importCompany: async ({ brand = null, inMedia = [] }) => {
      const memberships = inMedia.map((media) => ({ media, isPublished: true, isVmePagePublished: true }));
      const line: Line<'company'> = { ...read, fields: {}, own: { public_id: 'acme', brand, memberships } };
      const own = await lease();
      await completeRest(models, own, importing());
      const { company: write } = createWriters(models, services.logoStore, own);
      while ((await write(await planCompanies([line], importing()))).length > 0);
      return {};
    },
    archive: async () => {
      await archiveExpiredJobs(
        {
          jobs: models.jobs,
          clock: now,
          onLag: () => undefined,
          onBatch: () => undefined,
        },
        { id: 'archiving', isStopping: () => false, renew: async () => undefined, skip: () => undefined },
      );
      return {};
    },
    removeLogos: async () => {
      await services.logoStore.removeOrphans(
        async (hash) => (await models.companies.exists({ 'logo.hash': hash })) !== null,
        0,
      );
      return {};
    },
    readJob: async () => {
      const view = services.jobPresenter.view();
      const read = { paths: view.paths, budget: new AnswerBudget() };
      const found = await services.jobs.get(caller, jobId, read);
      const show = await view.prepare({ caller, language: 'en', mayUpdate: () => true }, [found.job]);
      return { isPublished: show(found).state === 'published' };
    },
    listPublished: async () => {
      const request = new PageRequest({ first: 10 }, new AnswerBudget());
      const filter = { mediaPublicId: 'demo-media', filter: { states: ['published' as const] } };
      const { edges } = await services.jobs.page(caller, filter, request, {});
      return { isPublished: edges.some(({ node }) => node.job.publicId === jobId) };
    },
    list: async ({ brand, inMedia: [media = ''] = [] }) => {
      const reader: Caller = {
        ...caller,
        roles: new Set([brand === undefined ? 'media_admin' : 'brand_admin']),
        media: new Set([media]),
        brand,
      };
      const request = new PageRequest({ first: 10 }, new AnswerBudget(), counted);
      const { edges, totalCount = null } = await services.jobs.page(
        reader,
        { mediaPublicId: media, filter: {} },
        request,
        {},
      );
      return { listed: edges.map(({ node }) => node.job.publicId), count: totalCount };
    },
    follow: async ({ after = null }) => {
      // Set the clock ahead: the service skips changes of the last 5 s, but here no change appears late.
      const changes = new ChangeService({
        now: async () => new Date(Date.now() + 4_999),
        companies: collectionOf(models.companies),
        jobs: collectionOf(models.jobs),
        departures: collectionOf(models.departures),
        listBounds: { queryMs: 5_000 },
        onDamaged: () => undefined,
      });
      const of = { media: 'demo-media', kinds: ['job', 'company'] as const };
      const { edges, pageInfo } = await changes.page(
        caller,
        of,
        new PageRequest({ first: 100, after }, new AnswerBudget()),
      );
      const copy = Object.fromEntries(
        edges.map(({ node: { publicId, state, version } }) => [publicId, state === 'gone' ? state : version]),
      );
      return { copy, after: pageInfo.endCursor };
    },
    spend: async () => {
      const quotas = new Quotas(
        { updateJob: quota, mutation: quota, read: quota },
        connection.getClient().db('gateway'),
        () => undefined,
      );
      await quotas.spend('updateJob', { caller, cost: new OperationCost() } as unknown as RequestContext);
      return {};
    },
  };
}
