import { type TypePolicies } from '@apollo/client';
import { relayStylePagination } from '@apollo/client/utilities';

/**
 * Policies for Apollo Client's cache: `new InMemoryCache({ typePolicies })`.
 * - `fetchMore` appends its page to the list. Only `pageInfo.hasNextPage` says whether there is more: a page may be shorter than
 *   `first` (Contract 4.3.7, 8.2.7).
 * - A part of a record, such as `description`, keeps the cached fields that a document does not ask for.
 *
 * Apollo Client itself finds jobs, companies, media and references by their `id`, if the document asks for it.
 */
export const typePolicies: TypePolicies = {
  Query: {
    fields: {
      jobs: relayStylePagination(['mediaPublicId', 'filter', 'sort']),
      companies: relayStylePagination(['mediaPublicId', 'filter', 'sort']),
      changes: relayStylePagination(['mediaPublicId']),
      media: relayStylePagination(),
    },
  },
  Job: { fields: { history: relayStylePagination() } },
  Company: { fields: { history: relayStylePagination(), jobs: relayStylePagination(['filter', 'sort']) } },
  Media: {
    fields: {
      jobs: relayStylePagination(['filter', 'sort']),
      companies: relayStylePagination(['filter', 'sort']),
    },
  },
  JobDescription: { merge: true },
  JobLocation: { merge: true },
  SalaryRange: { merge: true },
  CompanyContent: { merge: true },
  CompanyVisual: { merge: true },
};
