import { type ChoiceOf, choicesOf } from '../fields/labels.js';
import { type ReferenceKind } from '../fields/reference-snapshot.js';

/** The states of a job. */
export const jobStates = choicesOf('JobState');
export type JobState = ChoiceOf<'JobState'>;

/** How a candidate applies. */
export const applicationMethods = choicesOf('ApplicationMethod');
export type ApplicationMethod = ChoiceOf<'ApplicationMethod'>;

/** The period that the amounts of a pay range pay for. */
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

/** The HTML texts of a job. */
export const jobTexts = ['companyDesc', 'jobDesc', 'profileDesc', 'benefitDesc', 'processDesc'] as const;
