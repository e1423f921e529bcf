import { type FieldReader } from '../content/field-reader.rules.js';
import { type FieldsOf, type FieldTable, type ReadContext } from '../content/fields.rules.js';
import { fieldFault } from '../errors/field-fault.js';
import { applicationMethods, type JobReference, jobReferences, jobStates } from './job-choices.rules.js';
import { type JobDescription, type JobRecord, type SalaryRange } from './job.model.js';
import { emptyLocation, type ResolveLocation } from './location/location.js';

/** What else is needed to read the fields of a job. */
export interface JobReadContext extends ReadContext {
  record: JobRecord;
  /** Finds the place that a caller's text names (Contract 4.2.7). */
  resolveLocation: ResolveLocation;
}

type JobPath = keyof JobRecord | `description.${keyof JobDescription}` | `salaryRange.${keyof SalaryRange}`;

const reference = (path: JobReference, what: string) => {
  const description = `${what}. Its 24-hex id or its public id.`;
  return { type: 'reference', path, kind: jobReferences[path], description } as const;
};

const html = (part: keyof JobDescription, what: string) => {
  const path = `description.${part}` as const;
  const description = `${what}. HTML of at most {maximum} characters after cleaning; plain text is wrapped in a paragraph.`;
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
  const description = `E-mail addresses of ${whose}. At most {maximum} addresses; replaces the list, null or [] empties it.`;
  return { type: 'emails', path, maximum: 4, isClearable: true, description } as const;
};

/** The codes of ISO 4217 for money that people are paid in: no metals, no units of account, none for tests. */
const currencies =
  'AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CLF CLP CNY COP COU CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD USN UYI UYU UYW UZS VED VES VND VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW ZWG'.split(
    ' ',
  );

export const salaryPeriods = ['hour', 'day', 'week', 'month', 'year'];

const salaryRange = {
  path: 'salaryRange',
  description:
    'What the job pays, replaced as a whole: an amount at least, its currency and its period. null clears it.',
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

/** Every field of a job that callers may write (Contract 4.2.2), in the order in which faults are reported. */
export const jobFields = {
  name: {
    type: 'text',
    path: 'name',
    maximum: 150,
    description: 'Accepted, never applied: a differing name gives a warning.',
  },
  state: {
    type: 'choice',
    path: 'state',
    of: jobStates,
    description:
      'The state to move to: from draft, published or archived; from published, archived; from archived, published.',
  },
  contractId: reference('contract', 'Kind of contract'),
  jobCategoryId: reference('jobCategory', 'Job category'),
  worktimeId: reference('worktime', 'Work time'),
  remotePolicyId: reference('remote', 'Remote-work policy'),
  educationId: reference('education', 'Education wanted'),
  experienceId: reference('experience', 'Experience wanted'),
  salary: {
    type: 'text',
    path: 'salary',
    maximum: 30,
    isClearable: true,
    description: 'Free text, at most {maximum} characters.',
  },
  salaryMinimum: amount('minimum', 'The least it pays'),
  salaryMaximum: amount('maximum', 'The most it pays'),
  salaryCurrency: {
    type: 'code',
    ...salaryPart('currency'),
    of: currencies,
    expected: { en: 'a currency of ISO 4217, such as EUR', fr: 'une devise ISO 4217, comme EUR' },
    description: 'The currency, ISO 4217.',
  },
  salaryPeriod: {
    type: 'code',
    ...salaryPart('period'),
    of: salaryPeriods,
    expected: {
      en: `one of ${salaryPeriods.join(', ')}`,
      fr: `l’une de ces valeurs : ${salaryPeriods.join(', ')}`,
    },
    description: `For how long it is paid: ${salaryPeriods.join(', ')}.`,
  },
  localisation: {
    type: 'text',
    path: 'localisation',
    maximum: 255,
    isClearable: true,
    description: '"city[, department or region][, country]", at most {maximum} characters.',
    store: locate,
  },
  descriptionCompany: html('companyDesc', 'Company presentation'),
  descriptionJob: html('jobDesc', 'Job presentation'),
  descriptionProfile: html('profileDesc', 'Wanted profile'),
  descriptionBenefits: html('benefitDesc', 'Benefits'),
  descriptionProcess: html('processDesc', 'Hiring process'),
  applicationMethod: {
    type: 'choice',
    path: 'applicationMethod',
    of: applicationMethods,
    description: 'How a candidate applies.',
  },
  applicationUrl: {
    type: 'url',
    path: 'applicationUrl',
    maximum: 2_048,
    description:
      'http or https URL of at most {maximum} characters; required when the resulting method is external.',
  },
  managerEmails: emails('managerEmails', 'managers'),
  recruiterEmails: emails('recruiterEmails', 'recruiters'),
} as const satisfies FieldTable<JobReadContext, JobPath>;

/** The fields of a job in a request. */
export type JobFields = FieldsOf<typeof jobFields>;

/** The stored text keeps its place unless that is unknown and the text gives one: an operator may have given an address, too. */
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
