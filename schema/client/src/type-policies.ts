import { type FieldMergeFunction, type Reference, type StoreObject, type TypePolicies } from '@apollo/client';
import { relayStylePagination } from '@apollo/client/utilities';

/**
 * A reference stands within its record, in a place where its public id tells it from others. Another one that comes to
 * stand there takes no field over, nor does one that may be another: it would have the names of both.
 */
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
 * Policies for Apollo Client's cache: `new InMemoryCache({ typePolicies })`. A record is one record wherever it was read,
 * known by its public id, so that what a mutation answers is what the next read shows; a document that asks for a `Job`,
 * a `Company` or the company of a job must therefore ask for its `publicId`. A page that `fetchMore` brings grows the
 * list that it belongs to; whether there is more says `pageInfo.hasNextPage` and never the length of a page, which may
 * end early (Contract 8.4.8). What is part of a record keeps the fields that a document does not ask for, and so does a
 * reference whose `publicId` it asks for; a list of these is replaced whole. Questions and references are known by no id:
 * those of offices and questions are unique within their company or job only.
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
    },
  },
  Job: { keyFields: ['publicId'], fields: { history: relayStylePagination() } },
  Company: { keyFields: ['publicId'], fields: { history: relayStylePagination() } },
  JobCompany: { keyFields: ['publicId'] },
  JobDescription: { merge: true },
  JobLocation: { merge: true },
  SalaryRange: { merge: true },
  CompanyContent: { merge: true },
  CompanyVisual: { merge: true },
  Change: { keyFields: false },
  Question: { keyFields: false },
  Reference: { keyFields: false, merge: mergeReference },
};
