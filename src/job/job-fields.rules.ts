import { type FieldReader } from '../fields/field-reader.rules.js';
import { type FieldsOf, type FieldTable, type ReadContext } from '../fields/fields.rules.js';
import { nameKey } from '../text/name-key.rules.js';
import { fieldFault } from '../errors/field-fault.js';
import { applicationMethods, type JobReference, jobReferences, jobStates } from './job-choices.rules.js';
import { type JobDescription, type JobRecord, type SalaryRange } from './job.model.js';
import { emptyLocation, type ResolveLocation } from './location/location.js';

export interface JobReadContext extends ReadContext {
  record: JobRecord;
  /** Resolves the text of a place (Contract 4.2.7). */
  resolveLocation: ResolveLocation;
}

type JobPath = keyof JobRecord | `description.${keyof JobDescription}` | `salaryRange.${keyof SalaryRange}`;

const reference = (path: JobReference, what: string) => {
  const description = `${what}: 24-hex id or public id.`;
  return { type: 'reference', path, kind: jobReferences[path], isClearable: true, description } as const;
};

const html = (part: keyof JobDescription, what: string) => {
  const path = `description.${part}` as const;
  const description = `${what}. HTML, at most {maximum} characters after cleaning. Plain text is wrapped in paragraphs.`;
  return {
    type: 'html',
    path,
    maximum: 20_000,
    wrapPlainText: true,
    isClearable: true,
    description,
  } as const;
};

const emails = (path: JobPath, whose: string) => {
  const description = `E-mail addresses of ${whose}, at most {maximum}. Replaces the whole list; null or [] empties it.`;
  return { type: 'emails', path, maximum: 4, isClearable: true, description } as const;
};

/** ISO 4217 without metals, international units of account such as XDR, and test codes. */
const currencies =
  'AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CLF CLP CNY COP COU CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD USN UYI UYU UYW UZS VED VES VND VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW ZWG'.split(
    ' ',
  );

export const salaryPeriods = ['hour', 'day', 'week', 'month', 'year'];

const salaryRange = {
  path: 'salaryRange',
  description:
    'Pay of the job: at least one amount, a currency and a period. Replaces the whole pay; null clears it.',
  check(
    { minimum, maximum, currency, period }: Readonly<Record<string, string | null>>,
    reader: FieldReader,
  ) {
    const needed = { salaryMinimum: minimum ?? maximum, salaryCurrency: currency, salaryPeriod: period };
    for (const [field, value] of Object.entries(needed))
      if (value == null) reader.fail(fieldFault.missing(field));
    if (minimum != null && maximum != null && Number(minimum) > Number(maximum))
      reader.fail(
        fieldFault.format('salaryMinimum', {
          en: 'at most salary_maximum',
          fr: 'au plus égal à salary_maximum',
          advice: {
            en: 'Enter an amount that does not exceed the maximum.',
            fr: 'Saisissez un montant qui ne dépasse pas le maximum.',
          },
        }),
      );
  },
};

const salaryPart = <Part extends keyof SalaryRange>(part: Part) =>
  ({ whole: salaryRange, part, path: `salaryRange.${part}`, isClearable: true }) as const;

const amount = (part: 'minimum' | 'maximum', what: string) => {
  const description = `${what}: 0 to {maximum}, at most two decimals.`;
  return { type: 'decimal', maximum: 99_999_999, ...salaryPart(part), description } as const;
};

/** The fields that callers may write (Contract 4.2.2). Faults are reported in this order. */
export const jobFields = {
  name: {
    type: 'text',
    path: 'name',
    maximum: 150,
    description: 'Ignored: a name cannot change. A different name gives a warning.',
    store: (name) => ({ name, nameKey: nameKey(name) }),
  },
  state: {
    type: 'choice',
    path: 'state',
    of: jobStates,
    description:
      'New state. A draft can become published or archived, a published job archived, and an archived job published.',
  },
  expiresAt: {
    type: 'instant',
    path: 'expiresAt',
    isClearable: true,
    description:
      'When the published job ends: an instant with a UTC offset, or a date, which means the end of that day in UTC. At most 90 days after publishedAt, the default; null gives the default back.',
  },
  contractId: reference('contract', 'Kind of contract'),
  jobCategoryId: reference('jobCategory', 'Job category'),
  worktimeId: reference('worktime', 'Work time'),
  remotePolicyId: reference('remote', 'Remote-work policy'),
  educationId: reference('education', 'Required education'),
  experienceId: reference('experience', 'Required experience'),
  salary: {
    type: 'freeText',
    path: 'salary',
    maximum: 30,
    isClearable: true,
    description: 'Salary as free text, at most {maximum} characters.',
  },
  salaryMinimum: amount('minimum', 'Minimum pay'),
  salaryMaximum: amount('maximum', 'Maximum pay'),
  salaryCurrency: {
    type: 'code',
    ...salaryPart('currency'),
    of: currencies,
    expected: { en: 'an ISO 4217 currency such as EUR', fr: 'une devise ISO 4217, comme EUR' },
    description: 'Currency of the pay, ISO 4217.',
  },
  salaryPeriod: {
    type: 'code',
    ...salaryPart('period'),
    of: salaryPeriods,
    expected: {
      en: `one of ${salaryPeriods.join(', ')}`,
      fr: `l’une de ces valeurs : ${salaryPeriods.join(', ')}`,
      advice: { en: 'Choose one of the possible periods.', fr: 'Choisissez l’une des périodes possibles.' },
    },
    description: `Period that the pay is for: ${salaryPeriods.join(', ')}.`,
  },
  localisation: {
    type: 'freeText',
    path: 'localisation',
    maximum: 255,
    isClearable: true,
    description:
      'Place of the job: "[street, ]city[, department or region][, country]", at most {maximum} characters. A street needs a French postal code.',
    store: locate,
  },
  descriptionCompany: html('companyDesc', 'Company presentation'),
  descriptionJob: html('jobDesc', 'Job presentation'),
  descriptionProfile: html('profileDesc', 'Required profile'),
  descriptionBenefits: html('benefitDesc', 'Benefits'),
  descriptionProcess: html('processDesc', 'Hiring process'),
  applicationMethod: {
    type: 'choice',
    path: 'applicationMethod',
    of: applicationMethods,
    description: 'How candidates apply.',
  },
  applicationUrl: {
    type: 'url',
    path: 'applicationUrl',
    maximum: 2_048,
    isClearable: true,
    description:
      'URL where candidates apply: http or https, at most {maximum} characters. Required if applicationMethod is external_apply after the update.',
  },
  managerEmails: emails('managerEmails', 'managers'),
  recruiterEmails: emails('recruiterEmails', 'recruiters'),
} as const satisfies FieldTable<JobReadContext, JobPath>;

export type JobFields = FieldsOf<typeof jobFields>;

/** An unchanged text keeps its stored location, to which an import may have added a street, unless the location has no country. */
function locate(
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
