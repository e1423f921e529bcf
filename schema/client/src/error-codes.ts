// Emitted from the catalogue by npm run emit.

/** The error codes of replies, by their names in the schema. */
export const wireCodes = {
  unauthorized_limitation: 'unauthorized-limitation',
  company_already_existed: 'company-already-existed',
  job_already_existed: 'job-already-existed',
  company_not_published: 'company-not-published',
  version_conflict: 'version-conflict',
  company_not_found: 'company-not-found',
  job_not_found: 'job-not-found',
  validation_failed: 'validation-failed',
  body_format_error: 'body-format-error',
  method_not_allowed: 'method-not-allowed',
  content_type_not_supported: 'content-type-not-supported',
  payload_too_large: 'payload-too-large',
  not_found: 'not-found',
  rate_limit_exceeded: 'rate-limit-exceeded',
  state_transition_not_allowed: 'state-transition-not-allowed',
  idempotency_key_reuse: 'idempotency-key-reuse',
  internal_error: 'internal-error',
  service_unavailable: 'service-unavailable',
} as const;

/** A code in `extensions.error`, or in `error` over REST. */
export type WireCode = (typeof wireCodes)[keyof typeof wireCodes];

/** What is wrong with a field. */
export type FaultReason =
  'missing' | 'type' | 'format' | 'too_long' | 'too_many' | 'not_found' | 'conflict' | 'not_clearable';

/** Why a caller lacks authority. */
export type UnauthorizedReason =
  'token_missing' | 'token_invalid' | 'token_expired' | 'scope_missing' | 'role_missing' | 'out_of_reach';
