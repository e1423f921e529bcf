import { catalogue, type ErrorCode, type LocalisedText } from './catalogue.js';
import { fieldFault, type FieldFault, sizeOf } from './field-fault.js';

/** The authority that a caller lacks. */
export type Lack =
  | { reason: 'token_missing' | 'role_missing' | 'out_of_reach' }
  /** The description must be ASCII without quotation marks, and must not quote the token. */
  | { reason: 'token_invalid' | 'token_expired'; description: string }
  | { reason: 'scope_missing'; scope: string };

interface DomainErrorDetails {
  /** All faults of the request, or the inputs that caused the refusal. Over REST only `validation-failed` tells them. */
  faults?: readonly FieldFault[];
  /** For `unauthorized-limitation`. */
  lack?: Lack;
  /** Whether a call with a valid token counts as a failed one, because it was refused before it could spend a unit. */
  isFailure?: true;
  /** For `rate-limit-exceeded` and `service-unavailable`: whole seconds. */
  retryAfterSeconds?: number;
  /** For `version-conflict`: the record's version, and what has changed since the expected one, by path and as in the history. */
  current?: { version: number; changedPaths: readonly string[]; changedFields: readonly string[] };
  /** For `method-not-allowed`: the path's methods. */
  allow?: readonly string[];
  /** What is wrong and where, or how to fix it. Added to the message after a colon. */
  hint?: LocalisedText;
  /** Replaces the message over GraphQL, hint included. */
  graphqlMessage?: LocalisedText;
  /** Goes to the log, never to the caller. */
  cause?: unknown;
}

/** The only error that rules and services throw. */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  readonly details: DomainErrorDetails;

  constructor(
    readonly code: ErrorCode,
    details: DomainErrorDetails = {},
  ) {
    // Skip the stack: nobody reads it, and collecting it takes as long as the whole reply.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(catalogue[code].message.en, details.cause === undefined ? undefined : { cause: details.cause });
    Error.stackTraceLimit = stackTraceLimit;
    this.details = details;
  }
}

export const unauthorized = (lack: Lack): DomainError => new DomainError('unauthorized-limitation', { lack });

/** For a record that is absent or foreign: the caller must not learn which. */
export const outOfReach = (): DomainError => unauthorized({ reason: 'out_of_reach' });

/** A refusal that the given fields of the input caused. */
export const conflicting = (code: ErrorCode, fields: readonly string[]): DomainError =>
  new DomainError(code, { faults: fields.map((field) => fieldFault.conflict(field, code)) });

export const unavailable = (cause: unknown, retryAfterSeconds = 1): DomainError =>
  new DomainError('service-unavailable', { retryAfterSeconds, cause });

/** `en` and `fr` say what is wrong with the body, and where. */
export const unreadable = (en: string, fr: string, cause?: unknown): DomainError =>
  new DomainError('body-format-error', { hint: { en, fr }, cause });

/** payload-too-large with the limit. @param of the part that is too large; default: the body */
export const tooLarge = (
  maxBytes: number,
  of: LocalisedText = { en: 'the body', fr: 'le corps' },
  { cause, faults }: { cause?: unknown; faults?: readonly FieldFault[] } = {},
): DomainError =>
  new DomainError('payload-too-large', {
    ...(faults && { faults }),
    hint: {
      en: `${of.en} must have at most ${sizeOf(maxBytes).en}`,
      fr: `${of.fr} ne doit pas dépasser ${sizeOf(maxBytes).fr}`,
    },
    cause,
  });
