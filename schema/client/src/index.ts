export type {
  CompanyFieldsFragment as Company,
  JobFieldsFragment as Job,
  ReferenceFieldsFragment as Reference,
} from './documents/graphql.js';
export * from './documents/graphql.js';
export * from './error-codes.js';
export * from './gateway-error.js';
export * from './records.js';
export * from './refusal.js';
export { graphcacheKeys } from './graphcache.js';
export { waitBeforeRetry } from './wait-before-retry.js';
