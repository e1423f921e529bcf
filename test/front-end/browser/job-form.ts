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

const isInput = (element: Element | RadioNodeList | null) =>
  element instanceof HTMLInputElement ||
  element instanceof HTMLSelectElement ||
  element instanceof HTMLTextAreaElement;

/** Fills the inputs. Those that `kept` names keep what the user has typed. */
export function fill(form: HTMLFormElement, shown: Record<string, string>, kept: Changes = {}): void {
  for (const [name, value] of Object.entries(shown)) {
    const input = form.elements.namedItem(name);
    if (!isInput(input)) continue;
    input.value = value;
    // A text area changes line breaks, so compare with what it shows.
    input.dataset.filled = input.value;
    input.value = kept[name] ?? input.value;
  }
}

/** The values that the user has changed since the form was filled, by the names of the inputs. */
export type Changes = Record<string, string>;

export const changesIn = (form: HTMLFormElement): Changes =>
  Object.fromEntries(
    [...form.elements]
      .filter((element) => isInput(element))
      .filter(({ dataset, value }) => dataset.filled !== undefined && dataset.filled !== value)
      .map(({ name, value }) => [name, value]),
  );

/** Only what the user has changed. */
export function inputOf(job: EditedJob, form: HTMLFormElement): UpdateJobInput {
  const changes = Object.entries(changesIn(form));
  const isPay = ([name]: [string, string]) => name.startsWith('salaryRange.');
  const { expiresAt, managerEmails, recruiterEmails, ...fields } = Object.fromEntries(
    changes.filter((change) => !isPay(change)),
  );
  return {
    ...fields,
    jobPublicId: job.publicId,
    // An emptied field gives the default back.
    ...(expiresAt !== undefined && { expiresAt: expiresAt || null }),
    ...(managerEmails !== undefined && { managerEmails: listOf(managerEmails) }),
    ...(recruiterEmails !== undefined && { recruiterEmails: listOf(recruiterEmails) }),
    ...(changes.some(isPay) && { salaryRange: payIn(form) }),
  };
}

/** Pay is one value: a change of one part sends all parts. */
function payIn(form: HTMLFormElement): SalaryRangeInput | null {
  const all = new FormData(form);
  const textOf = (name: keyof SalaryRangeInput) => {
    const given = all.get(`salaryRange.${name}`);
    return typeof given === 'string' ? given : '';
  };
  const amounts = { minimum: textOf('minimum'), maximum: textOf('maximum') };
  if (amounts.minimum === '' && amounts.maximum === '') return null;
  const period = payPeriods.find((each) => each === textOf('period')) ?? 'year';
  return { ...amounts, currency: textOf('currency'), period };
}

/** All addresses as one text, which the gateway splits at each `;`. */
const listOf = (text: string) => (text === '' ? [] : [text]);

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
