import { type Move } from '../change/records-lease.js';
import { domainKey } from '../company/company-identity.rules.js';
import { blankCompany, type CompanyRecord } from '../company/company.record.js';
import { collectionOf } from '../database/collection-of.js';
import { placesRefused } from '../database/insert-absent.js';
import { type VersionedKind } from '../history/history.record.js';
import { blankJob, type JobRecord } from '../job/job.record.js';
import { collectionsOf, readReach } from '../job/stored-reach.js';
import { type Models } from '../models.js';
import { nameKey } from '../text/name-key.rules.js';
import { lackingInstants } from './last-changes.js';

export interface ConversionContext {
  models: Models;
  now: Date;
  /** JOB_LIFETIME. */
  lifetimeMs: number;
  /** Leaves moves that a killed import has done by half to the task that completes imports. */
  leave: (moves: readonly Move[]) => Promise<void>;
  /** Called with the public ids of companies that no name identifies, because another company has their name. */
  onTaken: (companies: readonly string[]) => void;
}

/** Stored by imports of 1.x and by 2.0.0-next.0. */
const obsolete = ['unsettledMedia', 'narrowedVersion', 'reachVersion', 'expiresFor'] as const;

type Former = Partial<JobRecord & CompanyRecord> &
  Pick<JobRecord, '_id' | 'publicId' | 'version' | 'pendingHistory' | 'media' | 'company'> & {
    [path in (typeof obsolete)[number]]?: unknown;
  };

/** Large, and lacking in no version. */
const untouched = { description: 0, questions: 0, offices: 0 };
export const withoutLarge = { ...untouched, 'pendingHistory.changes': 0, unchangingCalls: 0 };

const blanks: Record<VersionedKind, object> = { job: blankJob, company: blankCompany };

/**
 * Stores what jobs or companies lack, and corrects their keys, without a version or an entry. A record that has changed since it was read,
 * by another conversion or an update, stays as it is. Safe to repeat.
 */
export async function convertVersioned(
  kind: VersionedKind,
  page: readonly Former[],
  { models, now, lifetimeMs, leave, onTaken }: ConversionContext,
): Promise<void> {
  await leave(
    page.flatMap(({ publicId, unsettledMedia: media }) =>
      Array.isArray(media) ? [{ kind, publicId, media }] : [],
    ),
  );
  const isUncopied = ({ companyVersion }: Former) => kind === 'job' && companyVersion == null;
  const reachOf = await readReach(collectionsOf(models), page.filter(isUncopied));
  const instantsOf = await lackingInstants(kind, collectionOf(models.history), page, now);
  const write = async (keyOf: (record: Former) => string, some: readonly Former[]): Promise<Former[]> => {
    const writes = some.map((record) => {
      const { publicId, version, changedAt = null, companyVersion = null } = record;
      const lacking = Object.entries(blanks[kind]).filter(([path]) => !(path in record || path in untouched));
      const operators = {
        $set: {
          ...Object.fromEntries(lacking),
          ...(isUncopied(record) && reachOf(record)),
          ...endOf(record, lifetimeMs),
          ...instantsOf(record),
          ...(keyOf(record) !== record.nameKey && { nameKey: keyOf(record) }),
        },
        $unset: Object.fromEntries(
          [...obsolete.filter((path) => path in record), ...sharedKeyOf(record)].map((path) => [path, '']),
        ),
      };
      // Servers reject an empty operator.
      const filled = Object.entries(operators).filter(([, values]) => Object.keys(values).length > 0);
      const filter = { publicId, version, changedAt, companyVersion };
      return { record, updateOne: { filter, update: Object.fromEntries(filled) } };
    });
    const changing = writes.filter(({ updateOne }) => Object.keys(updateOne.update).length > 0);
    if (changing.length === 0) return [];
    const { collection } = kind === 'job' ? models.jobs : models.companies;
    const updates = changing.map(({ updateOne }) => ({ updateOne }));
    const refused = await placesRefused(collection.bulkWrite(updates, { ordered: false }));
    return refused.flatMap((place) => changing[place]?.record ?? []);
  };
  const taken = await write(rightKeyOf, page);
  await write(takenKeyOf, taken);
  if (taken.length > 0) onTaken(taken.map(({ publicId }) => publicId));
}

/** A damaged name keeps its key, or gets an empty one. */
const rightKeyOf = ({ name, nameKey: stored }: Former): string =>
  typeof name === 'string' ? nameKey(name) : (stored ?? '');

/** Still found by the words of its name. No name has an invisible character in its key. */
const takenKeyOf = (record: Former): string => `${rightKeyOf(record)}\u200b${record.publicId}`;

/** 1.x stored no end, also if it published a job again that has one. */
function endOf({ publishedAt, expiresAt, expiresFor = publishedAt }: Former, lifetimeMs: number) {
  if (!publishedAt || (expiresAt && Number(expiresFor) === Number(publishedAt))) return {};
  return { expiresAt: new Date(publishedAt.getTime() + lifetimeMs) };
}

/** 1.x gave the pages of shared sites a key. */
const sharedKeyOf = ({ domainUrl, ...stored }: Former): string[] =>
  typeof domainUrl === 'string' && 'domainKey' in stored && domainKey(domainUrl) === null
    ? ['domainKey']
    : [];
