import { catalogue, type ErrorCode, type LocalisedText } from './catalogue.js';
import { type FieldFault } from './field-fault.js';

/** Why an authorisation was refused, told only in `WWW-Authenticate` (RFC 6750, Contract 5.5). */
export type Challenge =
  | { reason: 'no-token' }
  /** The description is ours, in ASCII without quotation marks, and repeats nothing of the token. */
  | { reason: 'invalid-token'; description: string }
  | { reason: 'insufficient-scope'; scope: string };

interface DomainErrorDetails {
  /** For `validation-failed`: every fault of the request. */
  faults?: readonly FieldFault[];
  /** For `unauthorized-limitation`: why. Absent where the reason must not be told: a record out of reach. */
  challenge?: Challenge;
  /** For `rate-limit-exceeded` and `service-unavailable`: whole seconds until another try makes sense. */
  retryAfterSeconds?: number;
  /** For `method-not-allowed`: the methods that the path accepts. */
  allow?: readonly string[];
  /** What is wrong and where, or what would be right. It follows the message after a colon (Contract 7.1.5). */
  hint?: LocalisedText;
  /** What went wrong underneath; it reaches the log, never the caller. */
  cause?: unknown;
}

/** The one error that rules and services throw: a code of the catalogue and what that code needs besides. */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  readonly details: DomainErrorDetails;

  constructor(
    readonly code: ErrorCode,
    details: DomainErrorDetails = {},
  ) {
    // A refusal is an answer, not a fault. Nobody reads its stack, and to collect it would take as long as the answer itself.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(catalogue[code].message.en, details.cause === undefined ? undefined : { cause: details.cause });
    Error.stackTraceLimit = stackTraceLimit;
    this.details = details;
  }
}

/** The refusal for lack of authority. Without a challenge it tells no reason: the caller must not learn what exists. */
export const unauthorized = (challenge?: Challenge): DomainError =>
  new DomainError('unauthorized-limitation', challenge ? { challenge } : {});

/** The refusal of what may well succeed in a moment. */
export const unavailable = (cause: unknown, retryAfterSeconds = 1): DomainError =>
  new DomainError('service-unavailable', { retryAfterSeconds, cause });

/** body-format-error that says what is wrong with the body, and where (Contract 7.1.5). */
export const unreadable = (en: string, fr: string, cause?: unknown): DomainError =>
  new DomainError('body-format-error', { hint: { en, fr }, cause });
