/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
export type ApplicationMethod =
  | 'external_apply'
  | 'internal_apply';

export type ChangeKind =
  | 'company'
  | 'job';

export type ChangeState =
  | 'archived'
  | 'draft'
  | 'gone'
  | 'present'
  | 'published';

export type JobFilter = {
  companyPublicIds?: Array<string> | null | undefined;
  expiringBefore?: string | null | undefined;
  name?: string | null | undefined;
  publicIds?: Array<string> | null | undefined;
  states?: Array<JobState> | null | undefined;
  updatedSince?: string | null | undefined;
};

export type JobSort =
  | 'expires_at_asc'
  | 'public_id'
  | 'published_at_desc'
  | 'updated_at_desc';

export type JobState =
  | 'archived'
  | 'draft'
  | 'published';

export type Language =
  | 'en'
  | 'fr';

export type PayPeriod =
  | 'day'
  | 'hour'
  | 'month'
  | 'week'
  | 'year';

export type ReferenceKind =
  | 'contract'
  | 'education'
  | 'experience'
  | 'job_category'
  | 'remote'
  | 'sector'
  | 'size'
  | 'worktime';

export type SalaryRangeInput = {
  currency: string;
  maximum?: number | string | null | undefined;
  minimum?: number | string | null | undefined;
  period: PayPeriod;
};

export type UpdateCompanyInput = {
  companyPublicId?: string | null | undefined;
  description?: string | null | undefined;
  domainUrl?: string | null | undefined;
  logo?: Promise<unknown> | null | undefined;
  logoUrl?: string | null | undefined;
  mediaPublicId: string;
  name?: string | null | undefined;
  sectorIds?: Array<string | number> | null | undefined;
  sizeId?: string | null | undefined;
};

export type UpdateJobInput = {
  applicationMethod?: ApplicationMethod | null | undefined;
  applicationUrl?: string | null | undefined;
  companyPublicId?: string | null | undefined;
  contractId?: string | null | undefined;
  descriptionBenefits?: string | null | undefined;
  descriptionCompany?: string | null | undefined;
  descriptionJob?: string | null | undefined;
  descriptionProcess?: string | null | undefined;
  descriptionProfile?: string | null | undefined;
  educationId?: string | null | undefined;
  experienceId?: string | null | undefined;
  expiresAt?: string | null | undefined;
  jobCategoryId?: string | null | undefined;
  jobPublicId: string;
  localisation?: string | null | undefined;
  managerEmails?: Array<string> | null | undefined;
  mediaPublicId?: string | null | undefined;
  name?: string | null | undefined;
  recruiterEmails?: Array<string> | null | undefined;
  remotePolicyId?: string | null | undefined;
  salary?: string | null | undefined;
  salaryRange?: SalaryRangeInput | null | undefined;
  state?: JobState | null | undefined;
  worktimeId?: string | null | undefined;
};

export type WarningCode =
  | 'html_cleaned'
  | 'identifier_not_applied'
  | 'location_unresolved'
  | 'logo_animation_removed'
  | 'logo_url_ignored'
  | 'name_immutable'
  | 'text_escaped'
  | 'unknown_field';

export type ChangesQueryVariables = Exact<{
  after?: string | null | undefined;
  first?: number | null | undefined;
  mediaPublicId: string;
}>;


export type ChangesQuery = { changes: { edges: Array<{ node: { kind: ChangeKind, publicId: string, companyPublicId: string, version: number, changedAt: string | null, state: ChangeState } }>, pageInfo: { endCursor: string | null, hasNextPage: boolean } } | null };

export type CompanyQueryVariables = Exact<{
  mediaPublicId: string;
  publicId: string;
}>;


export type CompanyQuery = { company: { id: string, recordId: string, name: string, publicId: string, size: string | null, sectors: Array<string>, isPublished: boolean, isVmePagePublished: boolean, domainUrl: string | null, mediaPublicId: string, mediaPublicIds: Array<string>, updatedAt: string | null, version: number, viewerCanUpdate: boolean, content: { description: string | null, language: Language, visual: { logo: string | null } }, sizeReference: { id: string, publicId: string, name: string } | null, sectorReferences: Array<{ id: string, publicId: string, name: string }> } | null };

export type CompanyFieldsFragment = { id: string, recordId: string, name: string, publicId: string, size: string | null, sectors: Array<string>, isPublished: boolean, isVmePagePublished: boolean, domainUrl: string | null, mediaPublicId: string, mediaPublicIds: Array<string>, updatedAt: string | null, version: number, viewerCanUpdate: boolean, content: { description: string | null, language: Language, visual: { logo: string | null } }, sizeReference: { id: string, publicId: string, name: string } | null, sectorReferences: Array<{ id: string, publicId: string, name: string }> };

export type ReferenceFieldsFragment = { id: string, publicId: string, name: string };

export type JobPostingQueryVariables = Exact<{
  publicId: string;
}>;


export type JobPostingQuery = { job: { id: string, publicId: string, state: JobState, expiresAt: string | null, jobPosting: unknown } | null };

export type JobQueryVariables = Exact<{
  publicId: string;
}>;


export type JobQuery = { job: { id: string, name: string, publicId: string, salary: string | null, jobUrl: string, applyUrl: string, publishedAt: string | null, isRedirectApply: boolean, state: JobState, expiresAt: string | null, applicationMethod: ApplicationMethod, applicationUrl: string | null, mediaPublicId: string, localisation: string | null, updatedAt: string | null, version: number, viewerCanUpdate: boolean, company: { publicId: string, name: string }, worktime: { id: string, publicId: string, name: string } | null, remote: { id: string, publicId: string, name: string } | null, education: { id: string, publicId: string, name: string } | null, experience: { id: string, publicId: string, name: string } | null, contract: { id: string, publicId: string, name: string } | null, office: { publicId: string, name: string } | null, location: { addressNbr: string | null, address: string | null, city: string, administrativeAreaDepartment: string, administrativeAreaRegion: string, zipCode: string, country: string, countryCode: string }, salaryRange: { minimum: string | null, maximum: string | null, currency: string, period: PayPeriod } | null, description: { companyDesc: string | null, jobDesc: string | null, profileDesc: string | null, benefitDesc: string | null, processDesc: string | null }, questions: Array<{ questionId: string, name: string, ref: string, refType: string, isRequired: boolean, title: { en: string, fr: string }, placeholder: { en: string, fr: string } | null }>, jobCategory: { id: string, publicId: string, name: string } | null } | null };

export type JobFieldsFragment = { id: string, name: string, publicId: string, salary: string | null, jobUrl: string, applyUrl: string, publishedAt: string | null, isRedirectApply: boolean, state: JobState, expiresAt: string | null, applicationMethod: ApplicationMethod, applicationUrl: string | null, mediaPublicId: string, localisation: string | null, updatedAt: string | null, version: number, viewerCanUpdate: boolean, company: { publicId: string, name: string }, worktime: { id: string, publicId: string, name: string } | null, remote: { id: string, publicId: string, name: string } | null, education: { id: string, publicId: string, name: string } | null, experience: { id: string, publicId: string, name: string } | null, contract: { id: string, publicId: string, name: string } | null, office: { publicId: string, name: string } | null, location: { addressNbr: string | null, address: string | null, city: string, administrativeAreaDepartment: string, administrativeAreaRegion: string, zipCode: string, country: string, countryCode: string }, salaryRange: { minimum: string | null, maximum: string | null, currency: string, period: PayPeriod } | null, description: { companyDesc: string | null, jobDesc: string | null, profileDesc: string | null, benefitDesc: string | null, processDesc: string | null }, questions: Array<{ questionId: string, name: string, ref: string, refType: string, isRequired: boolean, title: { en: string, fr: string }, placeholder: { en: string, fr: string } | null }>, jobCategory: { id: string, publicId: string, name: string } | null };

export type JobsQueryVariables = Exact<{
  after?: string | null | undefined;
  filter?: JobFilter | null | undefined;
  first?: number | null | undefined;
  mediaPublicId: string;
  sort?: JobSort | null | undefined;
  withTotalCount?: boolean;
}>;


export type JobsQuery = { jobs: { totalCount?: number | null, edges: Array<{ cursor: string, node: { id: string, name: string, publicId: string, salary: string | null, jobUrl: string, applyUrl: string, publishedAt: string | null, isRedirectApply: boolean, state: JobState, expiresAt: string | null, applicationMethod: ApplicationMethod, applicationUrl: string | null, mediaPublicId: string, localisation: string | null, updatedAt: string | null, version: number, viewerCanUpdate: boolean, company: { publicId: string, name: string }, worktime: { id: string, publicId: string, name: string } | null, remote: { id: string, publicId: string, name: string } | null, education: { id: string, publicId: string, name: string } | null, experience: { id: string, publicId: string, name: string } | null, contract: { id: string, publicId: string, name: string } | null, office: { publicId: string, name: string } | null, location: { addressNbr: string | null, address: string | null, city: string, administrativeAreaDepartment: string, administrativeAreaRegion: string, zipCode: string, country: string, countryCode: string }, salaryRange: { minimum: string | null, maximum: string | null, currency: string, period: PayPeriod } | null, jobCategory: { id: string, publicId: string, name: string } | null } }>, pageInfo: { startCursor: string | null, endCursor: string | null, hasPreviousPage: boolean, hasNextPage: boolean } } | null };

export type ListedJobFieldsFragment = { id: string, name: string, publicId: string, salary: string | null, jobUrl: string, applyUrl: string, publishedAt: string | null, isRedirectApply: boolean, state: JobState, expiresAt: string | null, applicationMethod: ApplicationMethod, applicationUrl: string | null, mediaPublicId: string, localisation: string | null, updatedAt: string | null, version: number, viewerCanUpdate: boolean, company: { publicId: string, name: string }, worktime: { id: string, publicId: string, name: string } | null, remote: { id: string, publicId: string, name: string } | null, education: { id: string, publicId: string, name: string } | null, experience: { id: string, publicId: string, name: string } | null, contract: { id: string, publicId: string, name: string } | null, office: { publicId: string, name: string } | null, location: { addressNbr: string | null, address: string | null, city: string, administrativeAreaDepartment: string, administrativeAreaRegion: string, zipCode: string, country: string, countryCode: string }, salaryRange: { minimum: string | null, maximum: string | null, currency: string, period: PayPeriod } | null, jobCategory: { id: string, publicId: string, name: string } | null };

export type ReferencesQueryVariables = Exact<{
  kind: ReferenceKind;
}>;


export type ReferencesQuery = { references: Array<{ id: string, publicId: string, name: string, parentPublicId: string | null, names: { en: string, fr: string } }> | null };

export type UpdateCompanyMutationVariables = Exact<{
  dryRun?: boolean;
  expectedVersion?: number | null | undefined;
  idempotencyKey?: string | null | undefined;
  input: UpdateCompanyInput;
}>;


export type UpdateCompanyMutation = { updateCompany: { company: { id: string, recordId: string, name: string, publicId: string, size: string | null, sectors: Array<string>, isPublished: boolean, isVmePagePublished: boolean, domainUrl: string | null, mediaPublicId: string, mediaPublicIds: Array<string>, updatedAt: string | null, version: number, viewerCanUpdate: boolean, content: { description: string | null, language: Language, visual: { logo: string | null } }, sizeReference: { id: string, publicId: string, name: string } | null, sectorReferences: Array<{ id: string, publicId: string, name: string }> }, warnings: Array<{ code: WarningCode, field: string, message: string }> } | null };

export type UpdateJobMutationVariables = Exact<{
  dryRun?: boolean;
  expectedVersion?: number | null | undefined;
  idempotencyKey?: string | null | undefined;
  input: UpdateJobInput;
}>;


export type UpdateJobMutation = { updateJob: { job: { managerEmails: Array<string> | null, recruiterEmails: Array<string> | null, id: string, name: string, publicId: string, salary: string | null, jobUrl: string, applyUrl: string, publishedAt: string | null, isRedirectApply: boolean, state: JobState, expiresAt: string | null, applicationMethod: ApplicationMethod, applicationUrl: string | null, mediaPublicId: string, localisation: string | null, updatedAt: string | null, version: number, viewerCanUpdate: boolean, company: { publicId: string, name: string }, worktime: { id: string, publicId: string, name: string } | null, remote: { id: string, publicId: string, name: string } | null, education: { id: string, publicId: string, name: string } | null, experience: { id: string, publicId: string, name: string } | null, contract: { id: string, publicId: string, name: string } | null, office: { publicId: string, name: string } | null, location: { addressNbr: string | null, address: string | null, city: string, administrativeAreaDepartment: string, administrativeAreaRegion: string, zipCode: string, country: string, countryCode: string }, salaryRange: { minimum: string | null, maximum: string | null, currency: string, period: PayPeriod } | null, description: { companyDesc: string | null, jobDesc: string | null, profileDesc: string | null, benefitDesc: string | null, processDesc: string | null }, questions: Array<{ questionId: string, name: string, ref: string, refType: string, isRequired: boolean, title: { en: string, fr: string }, placeholder: { en: string, fr: string } | null }>, jobCategory: { id: string, publicId: string, name: string } | null }, warnings: Array<{ code: WarningCode, field: string, message: string }> } | null };
