import { type FieldMergeFunction, type Reference, type StoreObject, type TypePolicies } from '@apollo/client';
import { relayStylePagination } from '@apollo/client/utilities';

/** Merges only references with the same public id: the result could otherwise mix the names of two references. */
const mergeReference: FieldMergeFunction<Reference | StoreObject> = (
  known,
  incoming,
  { readField, mergeObjects },
) => {
  const publicId = readField('publicId', incoming);
  const isSame = known && publicId && readField('publicId', known) === publicId;
  return isSame ? mergeObjects(known, incoming) : incoming;
};

/**
 * Policies for Apollo Client's cache: `new InMemoryCache({ typePolicies })`.
 * - Jobs, companies and media are cached by `id`, so the next read shows what a mutation returned. A document that asks for one must ask
 *   for its `id`, and for the `publicId` of the company of a job.
 * - `fetchMore` appends its page to the list. Only `pageInfo.hasNextPage` says whether there is more: a page may be shorter than
 *   `first` (Contract 8.4.8).
 * - A part of a record, such as `description`, keeps the cached fields that a document does not ask for; a reference does so only if
 *   the document asks for its `publicId`. Lists of parts or references are replaced whole.
 * - References are not cached by id, because few documents ask for it.
 */
export const typePolicies: TypePolicies = {
  Query: {
    fields: {
      jobs: relayStylePagination([
        'mediaPublicId',
        'companyPublicId',
        'state',
        'name',
        'expiringBefore',
        'updatedSince',
        'sort',
      ]),
      companies: relayStylePagination(['mediaPublicId', 'name', 'sort']),
      changes: relayStylePagination(['mediaPublicId']),
      media: relayStylePagination(),
    },
  },
  Job: { fields: { history: relayStylePagination() } },
  Company: { fields: { history: relayStylePagination() } },
  JobCompany: { keyFields: ['publicId'] },
  JobDescription: { merge: true },
  JobLocation: { merge: true },
  SalaryRange: { merge: true },
  CompanyContent: { merge: true },
  CompanyVisual: { merge: true },
  Change: { keyFields: false },
  Reference: { keyFields: false, merge: mergeReference },
};
