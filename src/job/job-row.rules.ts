import { type CompanyContext } from '../company/company-fields.rules.js';
import { type Language } from '../errors/catalogue.js';
import { fieldTypes, type ReadContext } from '../fields/field-types.rules.js';
import { type ReferenceSnapshot, type ReferenceView, toReference } from '../fields/reference-snapshot.js';
import { field, localisedText, type RowsFor, type RestKey, sourcesOf } from '../fields/row.rules.js';
import { type MediaRecord } from '../media/media.record.js';
import { referenceRows } from '../reference/reference.rules.js';
import { type JobReference, jobReferences } from './job-choices.rules.js';
import { type Employer, type JobDescription, type JobRecord, type Question } from './job.record.js';
import { countryName, isoCode } from './location/country.js';
import { emptyLocation, type Location, type ResolveLocation } from './location/location.js';

export interface JobSources {
  job: JobRecord;
  company: Employer;
  media: MediaRecord;
  references: { snapshot: ReferenceSnapshot };
}

export interface JobContext extends CompanyContext {
  language: Language;
  now: Date;
}

export interface JobReadContext extends ReadContext {
  record: JobRecord;
  resolveLocation: ResolveLocation;
}

export const { stored, from } = sourcesOf<JobSources, JobContext, 'job'>('job');

export const referenceAt = <const As extends string>(
  path: JobReference,
  as: As,
  what: string,
  rest: NonNullable<RestKey>,
) =>
  field(rest, {
    ...from(
      { job: [path], references: ['snapshot'] },
      ({ job, references, language }): ReferenceView | null => {
        const id = job[path];
        const record = id && references.snapshot.find(jobReferences[path], id);
        return record ? toReference(record, language) : null;
      },
    ),
    of: referenceRows,
    input: {
      as,
      type: fieldTypes.reference(jobReferences[path]),
      description: `${what}: 24-hex id or public id.`,
    },
  });

export const html = <const As extends string>(
  part: keyof JobDescription,
  as: As,
  what: string,
  rest: string,
) =>
  field(rest, {
    ...stored(`description.${part}`),
    ifNull: 'empty',
    input: {
      as,
      type: fieldTypes.html(20_000, { wrapPlainText: true }),
      description: `${what}. HTML, at most {maximumLength} characters after cleaning. Plain text is wrapped in paragraphs.`,
    },
  });

/** In each list. */
const mostEmails = 4;

export const emails = (path: 'managerEmails' | 'recruiterEmails', whose: string) =>
  field(null, {
    ...from({ job: [path] }, ({ job }): string[] | null => job[path]),
    input: {
      type: fieldTypes.emails(mostEmails),
      description: `E-mail addresses of ${whose}, at most {maximumItems}. Replaces the whole list; null or [] empties it.`,
    },
  });

const place = (part: Exclude<keyof Location, 'address' | 'addressNbr'>, rest: string) =>
  field(
    rest,
    from({ job: [`location.${part}`] }, ({ job }) => job.location[part] ?? ''),
  );

/** @param fragment added to a URL that has none */
export const jobUrl = (fragment: string, rest: string) =>
  field(
    rest,
    from({ job: ['company', 'publicId'], media: ['jobUrlTemplate'] }, ({ job, media }) =>
      media.jobUrlTemplate
        .concat(media.jobUrlTemplate.includes('#') ? '' : fragment)
        .replaceAll('{company}', encodeURIComponent(job.company))
        .replaceAll('{job}', encodeURIComponent(job.publicId)),
    ),
  );

/** Its id is unique only within its company, so no API shows it. */
export const officeRows = {
  publicId: field('public_id'),
  name: field('name'),
} satisfies RowsFor<{ publicId: string; name: string }>;

/** A rest pattern takes ten times as long, and a page has hundreds of questions. */
export const showQuestion = (question: Question) => ({
  questionId: question._id.toHexString(),
  name: question.name,
  ref: question.ref,
  refType: question.refType,
  title: question.title,
  placeholder: question.placeholder ?? null,
  isRequired: question.isRequired,
});

export const questionRows = {
  questionId: field('_id'),
  name: field('name'),
  ref: field('ref'),
  refType: field('ref_type'),
  title: field('title', { of: localisedText }),
  placeholder: field('placeholder', {
    ifNull: 'absent',
    of: localisedText,
  }),
  isRequired: field('is_required'),
} satisfies RowsFor<ReturnType<typeof showQuestion>>;

export const locationRows = {
  addressNbr: field('address_nbr', stored('location.addressNbr')),
  address: field('address', stored('location.address')),
  city: place('city', 'city'),
  administrativeAreaDepartment: place('department', 'administrative_area_department'),
  administrativeAreaRegion: place('region', 'administrative_area_region'),
  zipCode: place('zipCode', 'zip_code'),
  country: field(
    'country',
    from({ job: ['location.countryCode'] }, ({ job, language }) =>
      countryName(job.location.countryCode, language),
    ),
  ),
  countryCode: field(
    'country_code',
    from({ job: ['location.countryCode'] }, ({ job }) => isoCode(job.location.countryCode)),
  ),
};

/** An unchanged text keeps its stored location, to which an import may have added a street, unless the location has no country. */
export function locate(
  localisation: string | null,
  field: string,
  { record, reader, resolveLocation }: JobReadContext,
) {
  const isStored = localisation === record.localisation;
  if (isStored && (localisation === null || record.location.countryCode !== '')) return {};
  if (localisation === null) return { localisation, location: emptyLocation };
  const { location, isResolved } = resolveLocation(localisation);
  if (!isResolved) reader.warn('location-unresolved', field);
  return isStored && !isResolved ? {} : { localisation, location };
}
