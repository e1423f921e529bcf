/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
/** How candidates apply. */
export type ApplicationMethod =
  /** At the applicationUrl of the job. */
  | 'external_apply'
  /** With the application form of the media. */
  | 'internal_apply';

/** The kind of a changed record. */
export type ChangeKind =
  /** A company. */
  | 'company'
  /** A job. */
  | 'job';

/** The current state of a changed record. */
export type ChangeState =
  /** A job that is archived or past its end. */
  | 'archived'
  /** A job that was never published. */
  | 'draft'
  /** A company that left the media, or a job that left with its company or moved to another media. */
  | 'gone'
  /** A company in the media. */
  | 'present'
  /** A published job. */
  | 'published';

/** Narrows a list of companies to those that match every field. Null does not narrow, and nothing matches an empty list. */
export type CompanyFilter = {
  /** Only companies that are published in the media, or only those that are not. */
  isPublished?: boolean | null | undefined;
  /** Only records whose name contains every word of this text, in any order. Words can be parts of words. Compares without case, accents and ligatures; apostrophes and kinds of space are alike. Characters after the first 256 are ignored. */
  name?: string | null | undefined;
  /** Only records with these public ids, at most 100, in this order. Each page looks at the next `first` of them, and leaves out absent records. */
  publicIds?: Array<string> | null | undefined;
};

/** The order of a list of companies. */
export type CompanySort =
  /** By public id. */
  | 'public_id'
  /** Latest change first. Records last written by version 1.0.0 come last. A record that changes between requests for two pages can appear twice or be missed. */
  | 'updated_at_desc';

/** Error codes. `extensions.error` writes them with hyphens. */
export type ErrorCode =
  /** The body of the request cannot be read. */
  | 'body_format_error'
  /** This company already exists. Please contact support to have it added. */
  | 'company_already_existed'
  /** There is no such company in this media. */
  | 'company_not_found'
  /** The company is not currently published in this media. */
  | 'company_not_published'
  /** This content type is not supported here. */
  | 'content_type_not_supported'
  /** This idempotency key was used with a different body. */
  | 'idempotency_key_reuse'
  /** Something went wrong on our side. */
  | 'internal_error'
  /** This company has no such job in this media. */
  | 'job_not_found'
  /** This path does not accept this method. */
  | 'method_not_allowed'
  /** There is nothing at this path. */
  | 'not_found'
  /** The request or its answer is too large. */
  | 'payload_too_large'
  /** Too many requests. Please try again later. */
  | 'rate_limit_exceeded'
  /** The service is temporarily unavailable. Please try again. */
  | 'service_unavailable'
  /** The job cannot move from its current state to the requested one. */
  | 'state_transition_not_allowed'
  /** Unauthorized */
  | 'unauthorized_limitation'
  /** One or more fields are not valid. */
  | 'validation_failed'
  /** The record has changed since the version you expected. */
  | 'version_conflict';

/** What is wrong with a field: `reason` in `extensions.fields`. */
export type FaultReason =
  /** The value does not go with what is stored; `code` is then the code of the refusal. */
  | 'conflict'
  /** The value has the right type, but not the form or the range that the field asks for. */
  | 'format'
  /** The field is required. */
  | 'missing'
  /** The field cannot be null. */
  | 'not_clearable'
  /** The value is the id of no record. */
  | 'not_found'
  /** The text is too long, or the file too large. */
  | 'too_long'
  /** The list is too long, or the page too large. */
  | 'too_many'
  /** The value has the wrong type. */
  | 'type';

/** Narrows a list of jobs to those that match every field. Null does not narrow, and nothing matches an empty list. */
export type JobFilter = {
  /** Only jobs of companies with one of these public ids, at most 100. */
  companyPublicIds?: Array<string> | null | undefined;
  /** Only published jobs that expire before this instant. */
  expiringBefore?: string | null | undefined;
  /** Only records whose name contains every word of this text, in any order. Words can be parts of words. Compares without case, accents and ligatures; apostrophes and kinds of space are alike. Characters after the first 256 are ignored. */
  name?: string | null | undefined;
  /** Only records with these public ids, at most 100, in this order. Each page looks at the next `first` of them, and leaves out absent records. */
  publicIds?: Array<string> | null | undefined;
  /** Only jobs in one of these states now. */
  states?: Array<JobState> | null | undefined;
  /** Only jobs written at this instant or later, by the database’s clock. */
  updatedSince?: string | null | undefined;
};

/** The order of a list of jobs. */
export type JobSort =
  /** First to expire first. Archived jobs stand where they expired, or would have. Jobs never published come first. */
  | 'expires_at_asc'
  /** By public id. */
  | 'public_id'
  /** Last published first. Archived jobs stand where they were last published. Jobs never published come last. */
  | 'published_at_desc'
  /** Latest change first. Records last written by version 1.0.0 come last. A record that changes between requests for two pages can appear twice or be missed. */
  | 'updated_at_desc';

/** State of a job. */
export type JobState =
  /** Closed by an update or at its end. Can be published again. */
  | 'archived'
  /** Never published. A job cannot return to this state. */
  | 'draft'
  /** Open to candidates until expiresAt, by default 90 days after publishedAt. */
  | 'published';

/** A language, by its ISO 639-1 code. */
export type Language =
  /** English. */
  | 'en'
  /** French. */
  | 'fr';

/** What an amount is paid for. */
export type PayPeriod =
  /** A day. */
  | 'day'
  /** An hour. */
  | 'hour'
  /** A month. */
  | 'month'
  /** A week. */
  | 'week'
  /** A year. */
  | 'year';

/** Which operations spend the units of a quota. */
export type QuotaName =
  /** All other mutations. */
  | 'mutation'
  /** Queries. */
  | 'read'
  /** The mutation `updateJob`. */
  | 'updateJob';

/** What a reference record classifies. */
export type ReferenceKind =
  /** Kind of contract. */
  | 'contract'
  /** Required education. */
  | 'education'
  /** Required experience. */
  | 'experience'
  /** Job category. Can be part of a wider category. */
  | 'job_category'
  /** Remote-work policy. */
  | 'remote'
  /** Sector of a company. */
  | 'sector'
  /** Size of a company. */
  | 'size'
  /** Work time. */
  | 'worktime';

/** What a caller may act on. */
export type Role =
  /** The companies of its brand, and their jobs. */
  | 'brand_admin'
  /** Every record of its media. */
  | 'media_admin'
  /** The records that it created. */
  | 'media_partner';

/** Pay of the job: at least one amount, a currency and a period. Replaces the whole pay; null clears it. */
export type SalaryRangeInput = {
  /** Currency of the pay, ISO 4217. */
  currency: string;
  /** Maximum pay: 0 to 99999999, at most two decimals. */
  maximum?: number | string | null | undefined;
  /** Minimum pay: 0 to 99999999, at most two decimals. */
  minimum?: number | string | null | undefined;
  /** Period that the pay is for: hour, day, week, month, year. */
  period: PayPeriod;
};

/** What a caller may do. */
export type Scope =
  /** Read companies. */
  | 'r_companies'
  /** Read jobs. */
  | 'r_jobs'
  /** Read and update companies. */
  | 'r_w_companies'
  /** Read and update jobs. */
  | 'r_w_jobs';

/** How a change was made. */
export type Transport =
  /** Through the GraphQL API. */
  | 'graphql'
  /** By an operator’s command. */
  | 'import'
  /** Through the REST API. */
  | 'rest'
  /** By a scheduled task. */
  | 'task';

/** An omitted field keeps its value. Null clears any field of the record except name. An empty text, which forms send for null, clears description; elsewhere it is an error. */
export type UpdateCompanyInput = {
  /** Public id of the company. If absent, the company is found by domainUrl, then by name. */
  companyPublicId?: string | null | undefined;
  /** At most 5000 characters after cleaning; HTML outside the allow-list is removed. */
  description?: string | null | undefined;
  /** Web domain of the company. Unique across all media. */
  domainUrl?: string | null | undefined;
  /** A PNG, JPEG, WebP or GIF image, recognised by its content. At most 4096 pixels a side and, by default, 5 MiB. Takes precedence over logoUrl. Null is an error: a logoUrl of null clears the logo. */
  logo?: Promise<unknown> | null | undefined;
  /** http or https URL of a logo, at most 2048 characters, kept as given. Null clears the logo, also an uploaded one. */
  logoUrl?: string | null | undefined;
  /** Public id of the media. */
  mediaPublicId: string;
  /** Name of the company, at most 150 characters. Unique across all media. */
  name?: string | null | undefined;
  /** Ids or public ids of sectors, at most 10. Replaces all sectors; null or [] clears them. */
  sectorIds?: Array<string | number> | null | undefined;
  /** Id or public id of a company size. */
  sizeId?: string | null | undefined;
};

/** An omitted field keeps its value. Null clears any field of the record except name, state, applicationMethod. An empty text, which forms send for null, clears salary, salaryRange, localisation, descriptionCompany, descriptionJob, descriptionProfile, descriptionBenefits, descriptionProcess; elsewhere it is an error. */
export type UpdateJobInput = {
  /** How candidates apply. */
  applicationMethod?: ApplicationMethod | null | undefined;
  /** URL where candidates apply: http or https, at most 2048 characters. Required if applicationMethod is external_apply after the update. */
  applicationUrl?: string | null | undefined;
  /** Public id of the company; defaults to the job’s company. */
  companyPublicId?: string | null | undefined;
  /** Kind of contract: 24-hex id or public id. */
  contractId?: string | null | undefined;
  /** Benefits. HTML, at most 20000 characters after cleaning. Plain text is wrapped in paragraphs. */
  descriptionBenefits?: string | null | undefined;
  /** Company presentation. HTML, at most 20000 characters after cleaning. Plain text is wrapped in paragraphs. */
  descriptionCompany?: string | null | undefined;
  /** Job presentation. HTML, at most 20000 characters after cleaning. Plain text is wrapped in paragraphs. */
  descriptionJob?: string | null | undefined;
  /** Hiring process. HTML, at most 20000 characters after cleaning. Plain text is wrapped in paragraphs. */
  descriptionProcess?: string | null | undefined;
  /** Required profile. HTML, at most 20000 characters after cleaning. Plain text is wrapped in paragraphs. */
  descriptionProfile?: string | null | undefined;
  /** Required education: 24-hex id or public id. */
  educationId?: string | null | undefined;
  /** Required experience: 24-hex id or public id. */
  experienceId?: string | null | undefined;
  /** When the published job ends: an instant with a UTC offset, or a date, which means the end of that day in UTC. At most 90 days after publishedAt, the default; null gives the default back. */
  expiresAt?: string | null | undefined;
  /** Job category: 24-hex id or public id. */
  jobCategoryId?: string | null | undefined;
  /** Public id of the job. */
  jobPublicId: string;
  /** Place of the job: "[street, ]city[, department or region][, country]", at most 255 characters. A street needs a French postal code. */
  localisation?: string | null | undefined;
  /** E-mail addresses of managers, at most 4. Replaces the whole list; null or [] empties it. */
  managerEmails?: Array<string> | null | undefined;
  /** Public id of the media; defaults to the job’s media. */
  mediaPublicId?: string | null | undefined;
  /** Ignored: a name cannot change. A different name gives a warning. */
  name?: string | null | undefined;
  /** E-mail addresses of recruiters, at most 4. Replaces the whole list; null or [] empties it. */
  recruiterEmails?: Array<string> | null | undefined;
  /** Remote-work policy: 24-hex id or public id. */
  remotePolicyId?: string | null | undefined;
  /** Salary as free text, at most 30 characters. */
  salary?: string | null | undefined;
  /** Pay of the job: at least one amount, a currency and a period. Replaces the whole pay; null clears it. */
  salaryRange?: SalaryRangeInput | null | undefined;
  /** New state. A draft can become published or archived, a published job archived, and an archived job published. */
  state?: JobState | null | undefined;
  /** Work time: 24-hex id or public id. */
  worktimeId?: string | null | undefined;
};

/** What was not applied, or changed. REST writes the codes with hyphens. */
export type WarningCode =
  /** Some of the HTML is not allowed and was removed. */
  | 'html_cleaned'
  /** This value was only used to find the company; the stored spelling was kept. */
  | 'identifier_not_applied'
  /** The place was not recognised; its text was stored as the city. */
  | 'location_unresolved'
  /** The logo is animated; only its first frame was kept. */
  | 'logo_animation_removed'
  /** A logo file was sent too; the URL was not applied. */
  | 'logo_url_ignored'
  /** The name of a job cannot be changed; the new name was not applied. */
  | 'name_immutable'
  /** A < or & was not markup; it was kept as text and escaped in the HTML. */
  | 'text_escaped'
  /** This field is not known here and was ignored. */
  | 'unknown_field';

export type ChangesQueryVariables = Exact<{
  after?: string | null | undefined;
  first?: number | null | undefined;
  mediaPublicId: string;
}>;


export type ChangesQuery = { changes: { edges: Array<{ node: { kind: ChangeKind, publicId: string, companyPublicId: string, version: number, changedAt: string | null, state: ChangeState } }>, pageInfo: { endCursor: string | null, hasNextPage: boolean } } | null };

export type CompaniesQueryVariables = Exact<{
  after?: string | null | undefined;
  filter?: CompanyFilter | null | undefined;
  first?: number | null | undefined;
  mediaPublicId: string;
  sort?: CompanySort | null | undefined;
  withTotalCount?: boolean;
}>;


export type CompaniesQuery = { companies: { totalCount?: number | null, edges: Array<{ cursor: string, node: { id: string, name: string, publicId: string, domainUrl: string | null, isPublished: boolean, version: number } }>, pageInfo: { startCursor: string | null, endCursor: string | null, hasPreviousPage: boolean, hasNextPage: boolean } } | null };

export type CompanyHistoryQueryVariables = Exact<{
  mediaPublicId: string;
  publicId: string;
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type CompanyHistoryQuery = { company: { id: string, publicId: string, history: { edges: Array<{ cursor: string, node: { at: string, actor: string, transport: Transport, requestId: string, changes: Array<{ field: string, before: unknown, after: unknown }> } }>, pageInfo: { startCursor: string | null, endCursor: string | null, hasPreviousPage: boolean, hasNextPage: boolean } } | null } | null };

export type CompanyQueryVariables = Exact<{
  mediaPublicId: string;
  publicId: string;
}>;


export type CompanyQuery = { company: { id: string, recordId: string, name: string, publicId: string, size: string | null, sectors: Array<string>, isPublished: boolean, isVmePagePublished: boolean, domainUrl: string | null, mediaPublicId: string, mediaPublicIds: Array<string>, updatedAt: string | null, version: number, viewerCanUpdate: boolean, content: { description: string | null, language: Language, visual: { logo: string | null } }, sizeReference: { id: string, publicId: string, name: string } | null, sectorReferences: Array<{ id: string, publicId: string, name: string }> } | null };

export type CompanyFieldsFragment = { id: string, recordId: string, name: string, publicId: string, size: string | null, sectors: Array<string>, isPublished: boolean, isVmePagePublished: boolean, domainUrl: string | null, mediaPublicId: string, mediaPublicIds: Array<string>, updatedAt: string | null, version: number, viewerCanUpdate: boolean, content: { description: string | null, language: Language, visual: { logo: string | null } }, sizeReference: { id: string, publicId: string, name: string } | null, sectorReferences: Array<{ id: string, publicId: string, name: string }> };

export type ReferenceFieldsFragment = { id: string, publicId: string, name: string };

export type ErrorsQueryVariables = Exact<{ [key: string]: never; }>;


export type ErrorsQuery = { errors: Array<{ code: ErrorCode, error: string, status: number, graphqlCode: string, message: string, reasons: Array<FaultReason> }> | null };

export type JobFormQueryVariables = Exact<{
  publicId: string;
}>;


export type JobFormQuery = { job: { managerEmails: Array<string> | null, recruiterEmails: Array<string> | null, id: string, name: string, publicId: string, salary: string | null, jobUrl: string, applyUrl: string, publishedAt: string | null, isRedirectApply: boolean, state: JobState, expiresAt: string | null, applicationMethod: ApplicationMethod, applicationUrl: string | null, mediaPublicId: string, localisation: string | null, updatedAt: string | null, version: number, viewerCanUpdate: boolean, company: { publicId: string, name: string }, worktime: { id: string, publicId: string, name: string } | null, remote: { id: string, publicId: string, name: string } | null, education: { id: string, publicId: string, name: string } | null, experience: { id: string, publicId: string, name: string } | null, contract: { id: string, publicId: string, name: string } | null, office: { publicId: string, name: string } | null, location: { addressNbr: string | null, address: string | null, city: string, administrativeAreaDepartment: string, administrativeAreaRegion: string, zipCode: string, country: string, countryCode: string }, salaryRange: { minimum: string | null, maximum: string | null, currency: string, period: PayPeriod } | null, description: { companyDesc: string | null, jobDesc: string | null, profileDesc: string | null, benefitDesc: string | null, processDesc: string | null }, questions: Array<{ questionId: string, name: string, ref: string, refType: string, isRequired: boolean, title: { en: string, fr: string }, placeholder: { en: string, fr: string } | null }>, jobCategory: { id: string, publicId: string, name: string } | null } | null, contracts: Array<{ id: string, publicId: string, name: string }> | null, educations: Array<{ id: string, publicId: string, name: string }> | null, experiences: Array<{ id: string, publicId: string, name: string }> | null, jobCategories: Array<{ id: string, publicId: string, name: string }> | null, remotePolicies: Array<{ id: string, publicId: string, name: string }> | null, worktimes: Array<{ id: string, publicId: string, name: string }> | null };

export type JobFieldsFragment = { id: string, name: string, publicId: string, salary: string | null, jobUrl: string, applyUrl: string, publishedAt: string | null, isRedirectApply: boolean, state: JobState, expiresAt: string | null, applicationMethod: ApplicationMethod, applicationUrl: string | null, mediaPublicId: string, localisation: string | null, updatedAt: string | null, version: number, viewerCanUpdate: boolean, company: { publicId: string, name: string }, worktime: { id: string, publicId: string, name: string } | null, remote: { id: string, publicId: string, name: string } | null, education: { id: string, publicId: string, name: string } | null, experience: { id: string, publicId: string, name: string } | null, contract: { id: string, publicId: string, name: string } | null, office: { publicId: string, name: string } | null, location: { addressNbr: string | null, address: string | null, city: string, administrativeAreaDepartment: string, administrativeAreaRegion: string, zipCode: string, country: string, countryCode: string }, salaryRange: { minimum: string | null, maximum: string | null, currency: string, period: PayPeriod } | null, description: { companyDesc: string | null, jobDesc: string | null, profileDesc: string | null, benefitDesc: string | null, processDesc: string | null }, questions: Array<{ questionId: string, name: string, ref: string, refType: string, isRequired: boolean, title: { en: string, fr: string }, placeholder: { en: string, fr: string } | null }>, jobCategory: { id: string, publicId: string, name: string } | null };

export type JobHistoryQueryVariables = Exact<{
  publicId: string;
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type JobHistoryQuery = { job: { id: string, publicId: string, history: { edges: Array<{ cursor: string, node: { at: string, actor: string, transport: Transport, requestId: string, changes: Array<{ field: string, before: unknown, after: unknown }> } }>, pageInfo: { startCursor: string | null, endCursor: string | null, hasPreviousPage: boolean, hasNextPage: boolean } } | null } | null };

export type JobPostingQueryVariables = Exact<{
  publicId: string;
}>;


export type JobPostingQuery = { job: { id: string, publicId: string, state: JobState, expiresAt: string | null, jobPosting: unknown } | null };

export type JobQueryVariables = Exact<{
  publicId: string;
}>;


export type JobQuery = { job: { id: string, name: string, publicId: string, salary: string | null, jobUrl: string, applyUrl: string, publishedAt: string | null, isRedirectApply: boolean, state: JobState, expiresAt: string | null, applicationMethod: ApplicationMethod, applicationUrl: string | null, mediaPublicId: string, localisation: string | null, updatedAt: string | null, version: number, viewerCanUpdate: boolean, company: { publicId: string, name: string }, worktime: { id: string, publicId: string, name: string } | null, remote: { id: string, publicId: string, name: string } | null, education: { id: string, publicId: string, name: string } | null, experience: { id: string, publicId: string, name: string } | null, contract: { id: string, publicId: string, name: string } | null, office: { publicId: string, name: string } | null, location: { addressNbr: string | null, address: string | null, city: string, administrativeAreaDepartment: string, administrativeAreaRegion: string, zipCode: string, country: string, countryCode: string }, salaryRange: { minimum: string | null, maximum: string | null, currency: string, period: PayPeriod } | null, description: { companyDesc: string | null, jobDesc: string | null, profileDesc: string | null, benefitDesc: string | null, processDesc: string | null }, questions: Array<{ questionId: string, name: string, ref: string, refType: string, isRequired: boolean, title: { en: string, fr: string }, placeholder: { en: string, fr: string } | null }>, jobCategory: { id: string, publicId: string, name: string } | null } | null };

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

export type MediaQueryVariables = Exact<{
  after?: string | null | undefined;
  first?: number | null | undefined;
}>;


export type MediaQuery = { media: { totalCount: number | null, edges: Array<{ node: { id: string, publicId: string, name: string } }>, pageInfo: { endCursor: string | null, hasNextPage: boolean } } };

export type NodeQueryVariables = Exact<{
  id: string | number;
}>;


export type NodeQuery = { node:
    | { publicId: string, mediaPublicId: string, name: string, isPublished: boolean, version: number, id: string }
    | { publicId: string, mediaPublicId: string, name: string, state: JobState, version: number, id: string }
    | { publicId: string, name: string, id: string }
   | null };

type NodeFields_Company_Fragment = { publicId: string, mediaPublicId: string, name: string, isPublished: boolean, version: number, id: string };

type NodeFields_Job_Fragment = { publicId: string, mediaPublicId: string, name: string, state: JobState, version: number, id: string };

type NodeFields_Media_Fragment = { publicId: string, name: string, id: string };

export type NodeFieldsFragment =
  | NodeFields_Company_Fragment
  | NodeFields_Job_Fragment
  | NodeFields_Media_Fragment
;

export type NodesQueryVariables = Exact<{
  ids: Array<string | number> | string | number;
}>;


export type NodesQuery = { nodes: Array<
    | { publicId: string, mediaPublicId: string, name: string, isPublished: boolean, version: number, id: string }
    | { publicId: string, mediaPublicId: string, name: string, state: JobState, version: number, id: string }
    | { publicId: string, name: string, id: string }
   | null> };

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

export type ViewerQueryVariables = Exact<{ [key: string]: never; }>;


export type ViewerQuery = { viewer: { subject: string, roles: Array<Role>, scopes: Array<Scope>, media: Array<string> | null, brand: string | null, expiresAt: string, quotas: Array<{ name: QuotaName, limit: number, remaining: number, resetSeconds: number }> } | null };
