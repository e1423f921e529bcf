import { type TypePolicies } from '@apollo/client';
import { relayStylePagination } from '@apollo/client/utilities';

/**
 * Policies for Apollo Client's cache: `new InMemoryCache({ typePolicies })`. A record is one record wherever it was read,
 * known by its public id, so that what a mutation answers is what the next read shows; a document that asks for a `Job`,
 * a `Company` or the company of a job must therefore ask for its `publicId`. A page that `fetchMore` brings grows the
 * list that it belongs to; whether there is more says `pageInfo.hasNextPage` and never the length of a page, which may
 * end early (Contract 8.4.8). What is part of a record and has no id keeps the fields that a document does not ask for.
 */
export const typePolicies: TypePolicies = {
  Query: {
    fields: {
      jobs: relayStylePagination(['mediaPublicId', 'companyPublicId', 'state', 'name', 'expiringBefore']),
      companies: relayStylePagination(['mediaPublicId', 'name']),
    },
  },
  Job: { keyFields: ['publicId'], fields: { history: relayStylePagination() } },
  Company: { keyFields: ['publicId'], fields: { history: relayStylePagination() } },
  JobCompany: { keyFields: ['publicId'] },
  JobDescription: { merge: true },
  JobLocation: { merge: true },
  CompanyContent: { merge: true },
  CompanyVisual: { merge: true },
  LocalisedText: { merge: true },
};
