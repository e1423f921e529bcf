import { type GatewayError } from '../client/src/index.js';

/** The message for the user. Does not compile if the catalogue has a code that is missing here. */
export function explainError({ error, code, message, fields, requestId }: GatewayError): string {
  switch (error) {
    case 'unauthorized-limitation':
      return code === 'UNAUTHENTICATED' ? 'Please sign in again.' : 'You may not do this.';
    case 'validation-failed':
      return fields.length > 0 ? fields.map((fault) => fault.message).join(' ') : message;
    case 'version-conflict':
      return `${message} Please check the current version before you save.`;
    case 'rate-limit-exceeded':
    case 'service-unavailable':
      return 'The service is busy. Please try again in a moment.';
    case 'company-already-existed':
    case 'job-already-existed':
    case 'company-not-published':
    case 'company-not-found':
    case 'job-not-found':
    case 'state-transition-not-allowed':
    case 'payload-too-large':
      return message;
    case 'body-format-error':
    case 'method-not-allowed':
    case 'content-type-not-supported':
    case 'not-found':
    case 'idempotency-key-reuse':
    case 'internal-error':
      // Defects of this front-end or of the gateway: the user can't fix them.
      return `Something went wrong. Please give this id to support: ${requestId}.`;
  }
}
