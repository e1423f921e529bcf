import { type Types } from 'mongoose';
import { type Office } from '../../company/company.record.js';
import { dueIn } from '../../change/moves.js';
import { FieldReader } from '../../fields/field-reader.rules.js';
import { type Patch, patched } from '../../fields/fields.rules.js';
import { readJobFields } from '../../job/job-fields.rules.js';
import { blankJob, emptyJob, type JobRecord, noReach } from '../../job/job.record.js';
import { type ExpiryInput, type JobSettings, resolveExpiresAt, stateAt } from '../../job/job-expiry.rules.js';
import { requireApplicationUrl, jobSteps } from '../../job/job.rules.js';
import { usualQuestions } from '../../job/usual-questions.js';
import { countryName } from '../../job/location/country.js';
import { emptyLocation, locationOf } from '../../job/location/location.js';
import { fault, type Line, type LineFault, missingWhenNew } from '../read-line.js';
import {
  type ImportContext,
  type KnownRecords,
  type Plan,
  type Planner,
  readKnown,
  readStored,
  withStoredIds,
} from './plan.js';

export const planJobs: Planner<'job'> = async (lines, context) => {
  const byId = await readStored(context.models.jobs, lines, blankJob);
  const [known, officesOf] = await Promise.all([
    readKnown(context),
    readOffices(lines, byId.values(), context),
  ]);
  const all = { ...known, officesOf };
  return lines.map((line) => planOne(line, byId.get(line.own.public_id ?? ''), all, context));
};

function planOne(
  line: Line<'job'>,
  current: JobRecord | undefined,
  { snapshot, media, officesOf }: KnownRecords & { officesOf: ReadonlyMap<string, readonly Office[]> },
  context: ImportContext,
): Plan<'job'> {
  const { own, faults } = line;
  const { origin, settings } = context;
  const now = context.now();
  const record = current ?? emptyJob({ publicId: own.public_id ?? '', createdBy: origin.actor }, now);
  const reader = new FieldReader();
  const { fields } = line;
  // `location` takes precedence over the place that `localisation` resolves to. Country names are not stored.
  const located = own.location && locationOf({ ...own.location, country: null });
  const { expiresAt, ...patch } = readJobFields(fields, {
    record,
    snapshot,
    reader,
    resolveLocation: located ? () => ({ location: located, isResolved: true }) : context.resolveLocation,
  });
  requireApplicationUrl(fields, record, patch, reader);
  planState(record, patch, own.published_at, {
    ...{ now, settings, reader },
    expiresAt: expiresAt as ExpiryInput,
  });
  faults.push(...reader.faults.map(fault.fromRules));
  if (located && located.countryCode !== '' && countryName(located.countryCode, 'en') === '')
    faults.push(unknownCountry);
  // A country name without a code is not stored.
  if (own.location?.country && !own.location.countryCode) reader.warn('location-unresolved', 'location');
  if (located) patch.location = located;
  // Some files have every key: keep the place that a `localisation` next to a null `location` resolves to.
  else if (own.location === null && !fields.localisation) patch.location = emptyLocation;
  if (own.media_public_id) patch.media = own.media_public_id;
  if (own.company_public_id) patch.company = own.company_public_id;
  if (own.created_by) patch.createdBy = own.created_by;
  const asked = own.questions ?? (current ? undefined : usualQuestions);
  if (asked) patch.questions = withStoredIds(asked, record.questions, 'ref');
  if (own.media_public_id && !media.has(own.media_public_id))
    faults.push(fault.notFound('media_public_id', 'such media'));
  const company = own.company_public_id ?? record.company;
  if (own.company_public_id && !officesOf.has(company))
    faults.push(fault.notFound('company_public_id', 'such company'));
  if (own.office_id !== undefined)
    patch.office = officeOf(own.office_id, officesOf.get(company) ?? [], faults);
  if (!current) faults.push(...missingWhenNew('job', line));
  if (own.published_at && own.published_at.getTime() > now.getTime() + clockDifferenceMs)
    faults.push(fault.mustBe('published_at', 'in the past'));

  const plan = { line, warnings: reader.warnings };
  if (faults.length > 0) return plan;
  if (!current) {
    const archived = patch.state === 'archived' && { archivedAt: now };
    return { ...plan, insert: { ...patched(record, patch), ...archived } };
  }
  const steps = jobSteps(current, patch, { now, origin });
  const last = steps.at(-1);
  const { media: to = current.media, company: under = current.company } = patch as Partial<JobRecord>;
  const isUnderOther = under !== current.company;
  if (last && (to !== current.media || isUnderOther))
    last.internal = {
      ...last.internal,
      ...(isUnderOther ? noReach : { isCompanyInMedia: false }),
      ...dueIn([current.media]),
    };
  return steps.length > 0 ? { ...plan, versions: { record: current, steps } } : plan;
}

/** How far in the future `published_at` may be: the publisher's clock can be ahead of ours. */
const clockDifferenceMs = 5_000;

/**
 * If `from` is undefined or null, a newly published job gets the current time, and a job that stays published, or whose end has passed,
 * keeps its instant. For any other job, undefined keeps the instant and null clears it. A job past its end is archived. Operators may
 * make any state transition.
 */
function planState(
  record: JobRecord,
  patch: Patch,
  from: Date | null | undefined,
  context: { now: Date; settings: JobSettings; expiresAt: ExpiryInput; reader: FieldReader },
): void {
  const { now, settings, expiresAt, reader } = context;
  if (patch.state === undefined && from === undefined && expiresAt === undefined) return;
  const before = stateAt(record, now);
  const state = (patch.state ?? before) as JobRecord['state'];
  const isOver = expiresAt && expiresAt.last <= now;
  const kept = state === 'published' && before !== 'published' && !isOver ? null : record.publishedAt;
  const publishedAt = state === 'published' ? (from ?? kept ?? now) : from === undefined ? kept : from;
  const options = { settings, earliest: null, reader };
  const end = resolveExpiresAt(record, { state, publishedAt }, expiresAt, options);
  Object.assign(patch, { state: stateAt({ state, expiresAt: end }, now), publishedAt, expiresAt: end });
}

const unknownCountry = fault.mustBe(
  'location',
  'a location whose country_code is "", an ISO 3166-1 alpha-3 code, or XKK for Kosovo',
);

function officeOf(id: string | null, offices: readonly Office[], faults: LineFault[]): Types.ObjectId | null {
  if (id === null) return null;
  const office =
    offices.find(({ publicId }) => publicId === id) ??
    offices.find(({ _id }) => _id.toHexString() === id.toLowerCase());
  if (!office) faults.push(fault.notFound('office_id', 'such office of the company'));
  return office?._id ?? null;
}

/** Offices by the company's public id, including companies that the files add. */
async function readOffices(
  lines: readonly Line<'job'>[],
  stored: Iterable<JobRecord>,
  { models, arriving }: ImportContext,
): Promise<ReadonlyMap<string, readonly Office[]>> {
  const named = new Set(lines.flatMap(({ own }) => own.company_public_id ?? []));
  if (lines.some(({ own }) => own.office_id)) for (const { company } of stored) named.add(company);
  const found = await models.companies
    .find({ publicId: { $in: [...named] } }, { publicId: 1, offices: 1 })
    .lean<{ publicId: string; offices: Office[] }[]>();
  const offices = new Map<string, readonly Office[]>(
    found.map((company) => [company.publicId, company.offices]),
  );
  if (arriving)
    for (const publicId of named)
      if (arriving.companies.has(publicId)) offices.set(publicId, arriving.offices.get(publicId) ?? []);
  return offices;
}
