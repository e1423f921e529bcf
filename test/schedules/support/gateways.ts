import 'reflect-metadata';
import { createHash } from 'node:crypto';
import { createConnection } from 'mongoose';
import pino from 'pino';
import sharp from 'sharp';
import { type Caller } from '../../../src/access/caller.js';
import { archiveExpiredJobs } from '../../../src/archiver/archive-expired-jobs.task.js';
import { modelsOf } from '../../../src/database/models.js';
import { type KeyedCall } from '../../../src/history/keyed-call.js';
import { createServices } from '../../../src/services.js';
import { type Stage } from './stage.js';

export const lifetimeMs = 90 * 86_400_000;

/** The instant by the clock that everybody shares, which no schedule waits for. */
export interface VirtualClock {
  nowMs: number;
}

const caller: Caller = {
  subject: 'caller',
  roles: new Set(['media_admin']),
  scopes: new Set(['r_w_jobs', 'r_w_companies']),
  media: new Set(['demo-media']),
  brand: undefined,
  expiresAt: new Date(8.64e15),
};

/** What a client sends: a field of one record, with what accompanies it. */
export interface Sent {
  operation: 'updateJob' | 'updateCompany' | 'archive' | 'removeLogos';
  /** What the field becomes; no two calls but repetitions share it. */
  value: string;
  key?: string;
  expectedVersion?: number;
  /** Whether a company's new logo comes with it. */
  withLogo?: boolean;
}

/** What the client is told. */
export interface Told {
  version: number | null;
  value: string | null;
  isReplayed: boolean;
}

const logo = sharp({ create: { width: 2, height: 2, channels: 3, background: 'red' } })
  .png()
  .toBuffer();

/** A gateway's process, as far as updates go: the services, with what the doors put around them. */
export type Process = Awaited<ReturnType<typeof startProcess>>;

export async function startProcess(stage: Stage, clock: VirtualClock) {
  const { gateway, uri } = await stage.open();
  const connection = await createConnection(uri, {
    autoIndex: false,
    autoCreate: false,
    minPoolSize: 2,
  }).asPromise();
  let offsetMs = 0;
  const now = () => new Date(clock.nowMs + offsetMs);
  const models = modelsOf(connection);
  const services = createServices({
    settings: { jobLifetimeMs: lifetimeMs, logoMaxBytes: 1_000, databaseTimeoutMs: 5_000 },
    connection,
    models,
    places: Promise.resolve({}),
    clock: now,
    log: pino({ level: 'silent' }),
    onShed: () => undefined,
  } as unknown as Parameters<typeof createServices>[0]);

  const update = async (sent: Sent, call?: KeyedCall): Promise<Told> => {
    const control = {
      origin: { actor: caller.subject, transport: 'rest' as const, requestId: sent.value },
      readFaults: [],
      expectedVersion: sent.expectedVersion,
      call,
    };
    const place = { mediaPublicId: 'demo-media', companyPublicId: 'acme' };
    if (sent.operation === 'updateCompany') {
      const { company } = await services.companies.update(
        caller,
        {
          ...place,
          description: sent.value,
          ...(sent.withLogo && {
            logo: logo.then((bytes) => ({ caller: caller.subject, bytes, holdMore: async () => undefined })),
          }),
        },
        control,
      );
      return { version: company.version, value: company.description, isReplayed: false };
    }
    const input = { ...place, jobPublicId: 'acme-backend-engineer', salary: sent.value };
    const { job } = await services.jobs.update(caller, input, control);
    return { version: job.version, value: job.salary, isReplayed: false };
  };

  return {
    gateway,
    setOffset: (ms: number) => (offsetMs = ms),
    close: () => connection.close(true),
    send: async (sent: Sent): Promise<Told> => {
      if (sent.operation === 'archive') {
        await archiveExpiredJobs(
          {
            jobs: models.jobs,
            clock: now,
            lifetimeMs,
            onLag: () => undefined,
            onBatch: async () => undefined,
            isStopping: () => false,
          },
          'archiving',
        );
        return { version: null, value: null, isReplayed: false };
      }
      if (sent.operation === 'removeLogos') {
        await services.logoStore.removeOrphans(
          async (hash) => (await models.companies.exists({ 'logo.hash': hash })) !== null,
          0,
        );
        return { version: null, value: null, isReplayed: false };
      }
      if (sent.key === undefined) return update(sent);
      const input = createHash('sha256').update(sent.value).digest('base64url');
      const { payload, isReplayed } = await services.idempotency.once(
        { caller, operation: sent.operation, key: sent.key, input },
        (call) => update(sent, call),
      );
      return { ...payload, isReplayed };
    },
  };
}
