import { type CompanyRecord } from '../../company/company.record.js';
import { type FieldTable, valueAt } from '../../fields/fields.rules.js';
import { type ReferenceSnapshot, type ReferenceRecord } from '../../fields/reference-snapshot.js';
import { snakeCase } from '../../errors/snake-case.js';
import { type JobRecord } from '../../job/job.record.js';
import { visibleExpiry, stateAt } from '../../job/job-expiry.rules.js';
import { countryName } from '../../job/location/country.js';
import { locationOf } from '../../job/location/location.js';
import { type MediaRecord } from '../../media/media.record.js';
import { callerFields, operatorFields, type RecordKind } from '../line-format.js';
import { type Codec } from '../codec.js';

/** Without nulls and empty lists. The order of keys is always the same. */
type WrittenRecord = { kind: RecordKind } & Record<string, unknown>;

export const writtenMedia = ({ publicId, name, jobUrlTemplate }: MediaRecord): WrittenRecord =>
  written('media', publicId, () => ({ public_id: publicId, name, job_url_template: jobUrlTemplate }));

export const writtenReference = (reference: ReferenceRecord): WrittenRecord =>
  written('reference', reference.publicId, () => ({
    type: reference.kind,
    public_id: reference.publicId,
    id: reference._id,
    name: reference.name,
    parent_public_id: reference.parent,
    schema_org: reference.schemaOrg,
    rank: reference.rank,
  }));

export function writtenCompany(
  company: CompanyRecord,
  snapshot: ReferenceSnapshot,
  logo: { sha256: string; base64: string } | null,
): WrittenRecord {
  return written('company', company.publicId, () => ({
    public_id: company.publicId,
    id: company._id,
    brand: company.brand,
    language: company.language,
    memberships: company.memberships,
    offices: company.offices,
    created_by: company.createdBy,
    ...callersValues(callerFields.company, { ...company, logo: null }, snapshot),
    ...(company.logo?.kind === 'url' && { logo_url: company.logo.url }),
    logo,
  }));
}

/** Writes the state at `now`: a job past its end is archived, even if it is stored as published. `office` is a public id. */
export function writtenJob(
  job: JobRecord,
  office: string | null,
  snapshot: ReferenceSnapshot,
  now: Date,
): WrittenRecord {
  return written('job', job.publicId, () => ({
    public_id: job.publicId,
    media_public_id: job.media,
    company_public_id: job.company,
    ...callersValues(
      callerFields.job,
      { ...job, state: stateAt(job, now), expiresAt: visibleExpiry(job, now) },
      snapshot,
    ),
    published_at: job.publishedAt,
    office_id: office,
    location: knownLocation(job),
    questions: job.questions,
    created_by: job.createdBy,
  }));
}

/** Null omits the location. A job with a place text gets even an empty location, or an import would resolve the text. */
function knownLocation({ localisation, location }: JobRecord) {
  if (!localisation && !Object.values(location).some(Boolean)) return null;
  return { ...locationOf(location), country: countryName(location.countryCode, 'en') };
}

/** Returns values by documented name, and references as public ids. */
function callersValues(
  table: FieldTable,
  record: object,
  snapshot: ReferenceSnapshot,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(table).map(([name, { path, type }]) => {
      const stored = valueAt(record, path);
      return [snakeCase(name), type.write ? type.write(stored, snapshot) : stored];
    }),
  );
}

/**
 * Drops empty values, and converts the values that only an operator may set.
 * @param values a function, so that errors inside it name the record too
 * @throws Error if something other than the gateway changed the record
 */
function written(kind: RecordKind, publicId: string, values: () => Record<string, unknown>): WrittenRecord {
  const codecs: Record<string, Codec<unknown>> = operatorFields[kind];
  try {
    const entries = Object.entries(values())
      .filter(
        ([, value]) => value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0),
      )
      .map(([key, value]) => [key, codecs[key] ? codecs[key].write(value) : value] as const);
    return { kind, ...Object.fromEntries(entries) };
  } catch (cause) {
    const { message } = cause as Error;
    throw new Error(`The ${kind} ${publicId} was changed by something other than the gateway: ${message}`, {
      cause,
    });
  }
}
