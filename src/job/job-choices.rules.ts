import { type ChoiceOf, choicesOf } from '../fields/labels.js';
import { type ReferenceKind } from '../fields/reference-snapshot.js';

/** The states of a job (Contract 3.1). */
export const jobStates = choicesOf('JobState');
export type JobState = ChoiceOf<'JobState'>;

/** How a candidate applies. */
export const applicationMethods = choicesOf('ApplicationMethod');
export type ApplicationMethod = ChoiceOf<'ApplicationMethod'>;

/** What the amounts of a pay range are paid for (Contract 4.2.12.2). */
export const payPeriods = choicesOf('PayPeriod');
export type PayPeriod = ChoiceOf<'PayPeriod'>;

/** Path → kind. */
export const jobReferences = {
  contract: 'contract',
  jobCategory: 'job_category',
  worktime: 'worktime',
  remote: 'remote',
  education: 'education',
  experience: 'experience',
} as const satisfies Record<string, ReferenceKind>;
export type JobReference = keyof typeof jobReferences;

/** The HTML texts of a job (Contract 2.2.3). */
export const jobTexts = ['companyDesc', 'jobDesc', 'profileDesc', 'benefitDesc', 'processDesc'] as const;
