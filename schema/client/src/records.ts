import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import {
  CompanyFormDocument,
  type CompanyFormQuery,
  CreateJobDocument,
  JobFormDocument,
  type JobFormQuery,
  UpdateCompanyDocument,
  UpdateJobDocument,
} from './documents/graphql.js';
import { type NewJobVariables, type Stored, type Variables } from './edit.js';
import { companyInputOf, type CompanyInput, jobInputOf, type JobInput } from './inputs.js';

/** Sends an operation with any client, and resolves with its data, or fails. */
export type Send = <Data, Variables extends Record<string, unknown>>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
) => Promise<Data>;

/** Whether a client has to send a document as a mutation. */
export const isMutation = ({ definitions }: TypedDocumentNode<unknown, never>): boolean =>
  definitions.some((each) => 'operation' in each && String(each.operation) === 'mutation');

/** A job as `JobFormDocument` reads it. */
export type EditedJob = NonNullable<JobFormQuery['job']>;

/** A company as `CompanyFormDocument` reads it. */
export type EditedCompany = NonNullable<CompanyFormQuery['company']>;

type Warnings = Stored<object>['warnings'];

/** The functions for `edit.save` and `edit.check` of a job. */
export function jobCalls(send: Send, { withEmails = true }: { withEmails?: boolean } = {}) {
  const stored = (answer: { job?: EditedJob | null; warnings?: Warnings } | null | undefined) => {
    const { job, warnings } = answer ?? {};
    if (!job) throw new Error('There is no such job any more.');
    return { input: jobInputOf(job), version: job.version, warnings, job };
  };
  return {
    update: async (variables: (NewJobVariables | Variables<JobInput>) & { dryRun?: boolean }) =>
      'idempotencyKey' in variables
        ? stored((await send(CreateJobDocument, variables)).createJob)
        : stored((await send(UpdateJobDocument, variables)).updateJob),
    read: async (publicId: string) => stored(await send(JobFormDocument, { publicId, withEmails })),
  };
}

/** The functions for `edit.save` and `edit.check` of a company. */
export function companyCalls(send: Send) {
  const stored = (answer: { company?: EditedCompany | null; warnings?: Warnings } | null | undefined) => {
    const { company, warnings } = answer ?? {};
    if (!company) throw new Error('There is no such company any more.');
    return { input: companyInputOf(company), version: company.version, warnings, company };
  };
  return {
    update: async (variables: Variables<CompanyInput> & { dryRun?: boolean }) =>
      stored((await send(UpdateCompanyDocument, variables)).updateCompany),
    read: async (mediaPublicId: string, publicId: string) =>
      stored(await send(CompanyFormDocument, { mediaPublicId, publicId })),
  };
}
