import { companyFields, mostSectors } from '../../company/company-fields.rules.js';
import { errorCodes, faultReasons } from '../../errors/catalogue.js';
import { unauthorizedReasons } from '../../errors/unauthorized-reason.js';
import { callerFields, longestLists, operatorFields } from '../../exchange/line-format.js';
import { jobFields } from '../../job/job-fields.rules.js';
import { mostEmails } from '../../job/job-row.rules.js';
import { buckets, roles, scopes } from '../../operations.js';

/**
 * What a document costs. The unit is one field: about 2 µs of the gateway's processor time, and at most 4 µs of the database's, as
 * measured (test/bench/RESULTS.md). `npm run fuzz` looks for the costliest document.
 */
export const weights = {
  rootField: 500,
  page: 50,
  /** A list of records within a record, which is a command of the database. */
  nestedList: 500,
  /** Each record of a page, which is read from the database. */
  record: 10,
  totalCount: 150,
  /** A list may look at as many entries as `listBounds` allows before it has found a page of matches. */
  filteredList: 10_000,
  /** Each element of a list of scalars. */
  element: 0.1,
};

/** Fields that take longer than others, beyond the 1 of any field. */
export const fieldWeights: Readonly<Record<string, number>> = {
  'Job.jobPosting': 50,
  'JobConnection.totalCount': 4_350,
  'CompanyConnection.totalCount': 4_350,
  'ChangeConnection.totalCount': 4_350,
};

/** Every field of a record can have changed at once. */
const mostChanges = Math.max(
  ...(['company', 'job'] as const).map(
    (kind) => Object.keys({ ...callerFields[kind], ...operatorFields[kind] }).length,
  ),
);
/** A token of 16 KiB, the most that a header can hold, has no more. */
const mostMedia = 3_000;

/** The length of each list without pages: as many elements as an import allows, or as there are. References are counted. */
export const listLengths: Readonly<Record<string, number>> = {
  'Company.mediaPublicIds': longestLists.memberships,
  'Company.sectorReferences': mostSectors,
  'Company.sectors': mostSectors,
  'ErrorDescription.reasons': Object.keys(faultReasons).length,
  'ErrorDescription.unauthorizedReasons': Object.keys(unauthorizedReasons).length,
  'HistoryEntry.changes': mostChanges,
  'Job.managerEmails': mostEmails,
  'Job.questions': longestLists.questions,
  'Job.recruiterEmails': mostEmails,
  'Query.errors': errorCodes.length,
  'UpdateCompanyPayload.warnings': Object.keys(companyFields).length,
  'UpdateJobPayload.warnings': Object.keys(jobFields).length,
  'Viewer.media': mostMedia,
  'Viewer.quotas': Object.keys(buckets).length,
  'Viewer.roles': roles.length,
  'Viewer.scopes': scopes.length,
};

/** The number of references of a kind, or of the kind with the most if it is not known. */
export type CountReferences = (kind: unknown) => number;
