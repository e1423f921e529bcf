import { createConnection } from 'mongoose';
import { archiveExpiredJobs } from '../../../src/archiver/archive-expired-jobs.tasks.js';
import { completeAll } from '../../../src/change/complete-all.js';
import { type Lease } from '../../../src/change/records-lease.js';
import { listBounds } from '../../../src/database/list.js';
import { planCompanies } from '../../../src/exchange/import/plan-company.js';
import { planJobs } from '../../../src/exchange/import/plan-job.js';
import { createWriters } from '../../../src/exchange/import/write-plans.js';
import { readLine } from '../../../src/exchange/read-line.js';
import { type KeyedCall } from '../../../src/idempotency/keyed-call.js';
import { emptyLocation } from '../../../src/job/location/location.js';
import { modelsOf } from '../../../src/models.js';
import { createServices } from '../../../src/start/services.js';
import { parseSettings } from '../../../src/settings/settings.js';
import { authorityOf, type Caller } from '../../../src/tokens/caller.js';
import { type Outcome, type Sent } from '../../reliability/support/checker.js';
import { taskRun } from '../../support/task-run.js';
import { allMedia, homeMedia, jobId } from './records.js';
import { type Stage } from './stage.js';

/** A gateway process without its server: operations that call the services as the APIs, tasks and commands do. */
export type Process = Awaited<ReturnType<typeof startProcess>>;

/** A call of an API. */
export interface Sending extends Sent {
  jobPublicId?: string;
  expectedVersion?: number;
  expiresAt?: string;
}

/** Sends it through a process. */
export const sending = (given: Sending) => (process: Process) => process.send(given);

export type Told = Omit<Extract<Outcome['end'], { kind: 'told' }>, 'kind'>;

const settings = parseSettings({ DATABASE_TIMEOUT: '5s' });
/** How far the clocks of processes are ahead. */
const aheadMs = [0, 5_000, 0, -5_000];
const admin: Caller = {
  subject: 'caller',
  roles: new Set(['media_admin']),
  scopes: new Set(['r_w_jobs', 'r_w_companies']),
  media: new Set(allMedia),
  brand: undefined,
  expiresAt: new Date(8.64e15),
};

export async function startProcess(stage: Stage, nowMs: () => number) {
  const { gateway, uri } = await stage.open();
  const now = () => new Date(nowMs() + aheadMs[gateway % aheadMs.length]!);
  const options = { autoIndex: false, autoCreate: false, minPoolSize: 2 };
  const connection = await createConnection(uri, options).asPromise();
  const models = modelsOf(connection);
  const { jobs, jobCreation, companies, idempotency, logoStore } = createServices({
    ...{ settings, connection, models, clock: now, bounds: listBounds },
    ...{ logoUrlOf: String, onShed: () => undefined },
  });

  const place = { mediaPublicId: homeMedia, companyPublicId: 'acme' };
  const run = async (
    { operation, value, jobPublicId, expectedVersion, expiresAt }: Sending,
    call?: KeyedCall,
  ) => {
    const origin = { actor: admin.subject, transport: 'rest' as const, requestId: value };
    const control = { origin, call, ...(expectedVersion && { expectedVersions: [expectedVersion] }) };
    if (operation === 'updateJob') {
      const input = { ...place, jobPublicId: jobId, salary: value, ...(expiresAt && { expiresAt }) };
      const { job } = await jobs.update(admin, input, control);
      return { version: job.version, value: String(job.salary) };
    }
    if (operation === 'updateCompany') {
      const { company } = await companies.update(admin, { ...place, description: value }, control);
      return { version: company.version, value: String(company.description) };
    }
    const input = { ...place, name: value, state: 'published', ...(jobPublicId && { jobPublicId }) };
    const { job } = await jobCreation.create(admin, input, control);
    return { version: job.version, value: job.publicId };
  };

  return {
    gateway,
    models,
    completeAll: () => completeAll(models),
    close: () => connection.close(true),
    send: async (sending: Sending): Promise<Told> => {
      const { operation, value, key } = sending;
      if (key === undefined) return { ...(await run(sending)), isReplayed: false };
      const repeatable = { authority: authorityOf(admin), operation, key, input: value };
      const { payload, isReplayed } = await idempotency.once(repeatable, (call) => run(sending, call));
      return { ...payload, isReplayed };
    },
    importLine: async (lease: Lease, line: Record<string, unknown>, requestId: string): Promise<Told> => {
      const context = {
        ...{ models, now, settings, logos: logoStore, arriving: null, isSecondPass: true },
        resolveLocation: () => ({ location: emptyLocation, isResolved: true }),
        origin: { actor: 'operator', transport: 'import' as const, requestId },
        identities: new Set<string>(),
      };
      const from = { file: 'records.jsonl', number: 1 };
      const plan = () =>
        line.kind === 'job'
          ? planJobs([readLine('job', line, from)], context)
          : planCompanies([readLine('company', line, from)], context);
      await completeAll(models);
      const write = createWriters(models, logoStore)[line.kind === 'job' ? 'job' : 'company'];
      for (let lost = await plan(); lost.length > 0;) {
        const plans = await plan();
        await lease.renew();
        lost = await write(plans);
      }
      return { version: 0, value: requestId, isReplayed: false };
    },
    archive: async () => {
      const told = { onLag: () => undefined, onBatch: () => undefined };
      await archiveExpiredJobs({ jobs: models.jobs, clock: now, ...told }, taskRun);
    },
  };
}
