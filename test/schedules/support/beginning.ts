import { quotaCollection, quotaIndexes } from '../../../src/quotas/quota-indexes.js';
import { type Models } from '../../../src/models.js';
import { demoDataAsStored } from '../../support/reset-records.js';
import { type Scene } from './schedule.js';
import { jobId, lifetimeMs, otherMedia } from './sent.js';

const data = demoDataAsStored(new Date());
const job = data.jobs.find(({ publicId }) => publicId === jobId);
const company = data.companies.find(({ publicId }) => publicId === 'acme');

export function recordsOf(
  { version = 1, pending = 0, endsInMs = lifetimeMs - 1_000 }: Scene,
  nowMs: number,
  models: Models,
) {
  const publishedAt = new Date(nowMs - 1_000);
  const end = { expiresAt: new Date(nowMs + endsInMs) };
  const pendingHistory = Array.from({ length: pending }, (_, index) => ({
    version: version - pending + 1 + index,
    at: publishedAt,
    actor: 'caller',
    transport: 'rest',
    requestId: 'earlier',
    changes: [],
  }));
  const indexesOf = (name: 'jobs' | 'companies' | 'history') =>
    models[name].schema
      .indexes()
      .map(([key, options]) => ({ key, ...options, name: options.name ?? Object.keys(key).join() }));
  return {
    media: {
      documents: [...data.media, { ...data.media[0], _id: otherMedia, publicId: otherMedia }],
      indexes: [],
    },
    jobs: {
      documents: [
        {
          ...job,
          version,
          state: 'published',
          publishedAt,
          ...end,
          companyVersion: version,
          pendingHistory,
        },
      ],
      indexes: indexesOf('jobs'),
    },
    companies: {
      documents: [{ ...company, logo: null, version, pendingHistory }],
      indexes: indexesOf('companies'),
    },
    departures: { documents: [], indexes: [] },
    history: { documents: [], indexes: indexesOf('history') },
    idempotency: { documents: [], indexes: [] },
    // A gateway creates these indexes once, before its first logo.
    'logos.files': { documents: [], indexes: [{ key: { filename: 1 }, name: 'filename_1', unique: true }] },
    'logos.chunks': {
      documents: [],
      indexes: [{ key: { files_id: 1, n: 1 }, name: 'files_id_1_n_1', unique: true }],
    },
    [quotaCollection]: {
      documents: [],
      indexes: quotaIndexes.map((index) => ({ ...index, name: Object.keys(index.key).join() })),
    },
  };
}
