import { withoutAddresses } from '../text/seen-text.rules.js';
import { type PostedReference } from '../fields/reference-snapshot.js';
import { jobTexts } from './job-choices.rules.js';
import { type JobType } from './job.graphql.js';
import { alpha2Of } from './location/country.js';

type JsonLd = Record<string, unknown>;

/** A job as GraphQL returns it, with the `schemaOrg` value of each reference. */
export type PostedJob = JobType &
  Record<'contract' | 'worktime' | 'remote' | 'education' | 'experience', PostedReference | null>;

/**
 * A schema.org `JobPosting` as Google documents it, without e-mail addresses. Null unless the job is published.
 * @param isCompanyVisible whether to show the company's site and logo
 */
export function jobPostingOf(job: PostedJob, isCompanyVisible: boolean): JsonLd | null {
  if (job.state !== 'published') return null;
  const { location, salaryRange: pay } = job;
  const employer = isCompanyVisible ? job.employer : null;
  const isRemote = isPresent(job.remote?.schemaOrg);
  const months = job.experience?.schemaOrg;
  const texts = jobTexts.map((name) => job.description[name]);
  const posting = object('JobPosting', {
    title: withoutAddresses(job.name),
    description: withoutAddresses(texts.filter(Boolean).join('\n')),
    datePosted: job.publishedAt?.toISOString(),
    validThrough: job.expiresAt?.toISOString(),
    identifier: object('PropertyValue', { name: job.mediaPublicId, value: job.publicId }),
    url: job.jobUrl,
    directApply: job.applicationMethod === 'internal_apply',
    hiringOrganization: object('Organization', {
      name: withoutAddresses(job.company.name),
      sameAs: urlWithoutAddress(employer?.domainUrl?.replace(/^(?!https?:\/\/)/i, 'https://')),
      logo: urlWithoutAddress(employer?.content.visual.logo),
    }),
    jobLocation: object('Place', {
      address: object('PostalAddress', {
        streetAddress: withoutAddresses([location.addressNbr, location.address].filter(Boolean).join(' ')),
        addressLocality: withoutAddresses(location.city),
        addressRegion: withoutAddresses(location.administrativeAreaRegion),
        postalCode: withoutAddresses(location.zipCode),
        addressCountry: alpha2Of(location.countryCode),
      }),
    }),
    jobLocationType: job.remote?.schemaOrg,
    applicantLocationRequirements: isRemote ? object('Country', { name: location.country }) : null,
    employmentType: [...new Set([job.worktime?.schemaOrg, job.contract?.schemaOrg].filter(isPresent))],
    baseSalary:
      pay &&
      object('MonetaryAmount', {
        currency: pay.currency,
        value: object('QuantitativeValue', {
          minValue: amount(pay.minimum),
          maxValue: amount(pay.maximum),
          unitText: pay.period.toUpperCase(),
        }),
      }),
    educationRequirements: object('EducationalOccupationalCredential', {
      credentialCategory: job.education?.schemaOrg,
    }),
    experienceRequirements:
      months === 0
        ? 'no requirements'
        : object('OccupationalExperienceRequirements', { monthsOfExperience: months }),
  });
  return { '@context': 'https://schema.org/', ...posting };
}

const isPresent = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);

/** Omits missing values. Returns null if no value is left. */
function object(type: string, values: JsonLd): JsonLd | null {
  const present = Object.entries(values).filter(([, value]) => isPresent(value));
  return present.length === 0 ? null : { '@type': type, ...Object.fromEntries(present) };
}

/** Removing an address from a URL would give the URL of another page. */
const urlWithoutAddress = (url: string | null | undefined): string | null =>
  url != null && withoutAddresses(url) === url ? url : null;

const amount = (decimal: string | null): number | null => (decimal === null ? null : Number(decimal));
