import { type ReferenceKind } from '../fields/reference-snapshot.js';

/** The states of a job (Contract 3.1). */
export const jobStates = ['draft', 'published', 'archived'] as const;
export type JobState = (typeof jobStates)[number];

/** How a candidate applies. */
export const applicationMethods = ['internal_apply', 'external_apply'] as const;
export type ApplicationMethod = (typeof applicationMethods)[number];

/** What the amounts of a pay range are paid for (Contract 4.2.12.2). */
export const payPeriods = ['hour', 'day', 'week', 'month', 'year'] as const;
export type PayPeriod = (typeof payPeriods)[number];

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
