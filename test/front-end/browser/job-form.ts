import {
  type JobFormQuery,
  type PayPeriod,
  type SalaryRangeInput,
  type UpdateJobInput,
} from 'recruitment-gateway-client';
import { type EditedJob } from '../front-end.js';

type Field =
  | Exclude<
      keyof UpdateJobInput,
      'jobPublicId' | 'mediaPublicId' | 'companyPublicId' | 'name' | 'salaryRange'
    >
  | `salaryRange.${keyof SalaryRangeInput}`;

const payPeriods = ['hour', 'day', 'week', 'month', 'year'] as const satisfies readonly PayPeriod[];

/** The choices of each select. */
const choices = {
  contractId: 'contracts',
  jobCategoryId: 'jobCategories',
  worktimeId: 'worktimes',
  remotePolicyId: 'remotePolicies',
  educationId: 'educations',
  experienceId: 'experiences',
} satisfies Partial<Record<Field, keyof JobFormQuery>>;

export function fillChoices(form: HTMLFormElement, query: JobFormQuery): void {
  for (const [name, list] of Object.entries(choices)) {
    const select = form.elements.namedItem(name);
    const options = query[list]?.map((each) => new Option(each.name, each.publicId)) ?? [];
    if (select instanceof HTMLSelectElement) select.replaceChildren(new Option('', ''), ...options);
  }
}

export const shownIn = (job: EditedJob): Record<Field, string> => ({
  state: job.state,
  expiresAt: job.expiresAt ?? '',
  contractId: job.contract?.publicId ?? '',
  jobCategoryId: job.jobCategory?.publicId ?? '',
  worktimeId: job.worktime?.publicId ?? '',
  remotePolicyId: job.remote?.publicId ?? '',
  educationId: job.education?.publicId ?? '',
  experienceId: job.experience?.publicId ?? '',
  salary: job.salary ?? '',
  'salaryRange.minimum': job.salaryRange?.minimum ?? '',
  'salaryRange.maximum': job.salaryRange?.maximum ?? '',
  'salaryRange.currency': job.salaryRange?.currency ?? '',
  'salaryRange.period': job.salaryRange?.period ?? 'year',
  localisation: job.localisation ?? '',
  descriptionCompany: job.description.companyDesc ?? '',
  descriptionJob: job.description.jobDesc ?? '',
  descriptionProfile: job.description.profileDesc ?? '',
  descriptionBenefits: job.description.benefitDesc ?? '',
  descriptionProcess: job.description.processDesc ?? '',
  applicationMethod: job.applicationMethod,
  applicationUrl: job.applicationUrl ?? '',
  managerEmails: job.managerEmails?.join('; ') ?? '',
  recruiterEmails: job.recruiterEmails?.join('; ') ?? '',
});

/** Leaves out fields that were empty and still are: some fields reject an empty value. */
export function inputOf(job: EditedJob, form: HTMLFormElement): UpdateJobInput {
  const shown: Record<string, string> = shownIn(job);
  const all = new FormData(form);
  const textOf = (name: Field) => {
    const given = all.get(name);
    return typeof given === 'string' ? given : '';
  };
  const amounts = { minimum: textOf('salaryRange.minimum'), maximum: textOf('salaryRange.maximum') };
  const currency = textOf('salaryRange.currency');
  const period = payPeriods.find((each) => each === textOf('salaryRange.period')) ?? 'year';
  const hasPay = amounts.minimum !== '' || amounts.maximum !== '';
  const entries = [...all].filter(
    ([name, value]) => !name.startsWith('salaryRange.') && (value !== '' || shown[name] !== ''),
  );
  const { expiresAt, ...fields } = Object.fromEntries(entries);
  return {
    ...fields,
    // An emptied field gives the default back.
    ...(typeof expiresAt === 'string' && { expiresAt: expiresAt || null }),
    jobPublicId: job.publicId,
    salaryRange: hasPay ? { ...amounts, currency, period } : null,
    managerEmails: listIn(form, 'managerEmails'),
    recruiterEmails: listIn(form, 'recruiterEmails'),
  };
}

/** All addresses as one text, which the gateway splits at each `;`. */
function listIn(form: HTMLFormElement, name: Field): string[] {
  const text = new FormData(form).get(name);
  return typeof text === 'string' && text !== '' ? [text] : [];
}

export function showFaults(form: HTMLFormElement, faults: Record<string, string> = {}): void {
  for (const fault of form.querySelectorAll('[role=alert]')) fault.remove();
  for (const [name, message] of Object.entries(faults)) {
    const input = form.elements.namedItem(name);
    if (!(input instanceof HTMLElement)) continue;
    const fault = document.createElement('em');
    fault.role = 'alert';
    fault.textContent = message;
    input.after(fault);
  }
}
