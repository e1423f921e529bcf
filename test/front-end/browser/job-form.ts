import {
  type PayPeriod,
  type ReferenceKind,
  type SalaryRangeInput,
  type UpdateJobInput,
} from 'recruitment-gateway-client';
import { type EditedJob } from '../front-end.js';

type Field =
  | Exclude<
      keyof UpdateJobInput,
      'jobPublicId' | 'mediaPublicId' | 'companyPublicId' | 'name' | 'salaryRange'
    >
  | (typeof payFields)[PayPart];
type PayPart = keyof SalaryRangeInput;

const payPeriods = ['hour', 'day', 'week', 'month', 'year'] as const satisfies readonly PayPeriod[];
const payFields = {
  minimum: 'salaryMinimum',
  maximum: 'salaryMaximum',
  currency: 'salaryCurrency',
  period: 'salaryPeriod',
} as const satisfies Record<PayPart, string>;

export const kinds = {
  contractId: 'contract',
  jobCategoryId: 'job_category',
  worktimeId: 'worktime',
  remotePolicyId: 'remote',
  educationId: 'education',
  experienceId: 'experience',
} satisfies Partial<Record<Field, ReferenceKind>>;

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
  salaryMinimum: job.salaryRange?.minimum ?? '',
  salaryMaximum: job.salaryRange?.maximum ?? '',
  salaryCurrency: job.salaryRange?.currency ?? '',
  salaryPeriod: job.salaryRange?.period ?? 'year',
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
  const amounts = { minimum: textOf(payFields.minimum), maximum: textOf(payFields.maximum) };
  const currency = textOf(payFields.currency);
  const period = payPeriods.find((each) => each === textOf(payFields.period)) ?? 'year';
  const hasPay = amounts.minimum !== '' || amounts.maximum !== '';
  for (const name of Object.values(payFields)) all.delete(name);
  const entries = [...all].filter(([name, value]) => value !== '' || shown[name] !== '');
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
