import { type FaultReason, type UnauthorizedReason, type WireCode } from './error-codes.js';
import { isRecord } from './is-record.js';

/** One thing wrong with one field of the input. */
export interface FieldFault {
  /** The field's place, from the argument on, such as `['input', 'salaryRange', 'maximum']` or `['input', 'managerEmails', '1']`. */
  path: string[];
  /** The code that REST has for the same fault. */
  code: string;
  /** What is wrong, whatever the field. */
  reason: FaultReason;
  /** For people, in the requested language: names no field, so a form can show it beside the input. */
  message: string;
  /** The numbers, instants and choices that the message speaks of, such as `{ maximumLength: 30 }`; absent if there are none. */
  parameters?: Readonly<Record<string, unknown>>;
}

/**
 * The name of the input to show the fault at: the path within the argument, such as `salaryRange.maximum`. All elements of a list share the
 * name of the list, such as `managerEmails`. Empty if the fault is not in an object, such as `expectedVersion`.
 */
export const inputName = ({ path }: Pick<FieldFault, 'path'>): string =>
  path
    .slice(1)
    .filter((part) => !/^\d+$/.test(part))
    .join('.');

/** An error of the gateway, from `errors[]` of a reply. */
export interface GatewayError {
  /** The code to switch over. */
  error: WireCode;
  /** `UNAUTHENTICATED`: get another token. `FORBIDDEN`: a new token will not help. */
  code: string;
  status: number;
  /** For people, in the requested language; in English if the document is wrong. */
  message: string;
  /** The operator can look this id up in the log. */
  requestId: string;
  /** Every field that caused the error; empty if none did. */
  fields: FieldFault[];
  /** Why the caller lacks authority; null if that is not the cause. `token_expired`: get a new token, and repeat the call. */
  reason: UnauthorizedReason | null;
  /** The scope that the token lacks; null if that is not the cause. */
  scope: string | null;
  /** For `version-conflict`: the record's version; otherwise null. */
  currentVersion: number | null;
  /** For `version-conflict`: the inputs of what has changed since the expected version, as in `history`; otherwise empty. */
  changedFields: string[];
  /** The page that says what causes the error and what to do; null unless the gateway runs in development. */
  help: string | null;
}

/** Reads an entry of `errors[]`; null if the entry does not come from the gateway. */
export function readGatewayError(entry: unknown): GatewayError | null {
  if (!isRecord(entry) || !isRecord(entry.extensions)) return null;
  const { error, code, status, requestId, fields, reason, scope, currentVersion, changedFields, help } =
    entry.extensions;
  if (typeof error !== 'string' || typeof status !== 'number') return null;
  const faults = Array.isArray(fields) ? fields.filter(isFieldFault) : [];
  const message = textOf(entry.message);
  return {
    error: error as WireCode,
    code: textOf(code),
    status,
    // GraphQL speaks of variables and types, which the fault at the input says in other words.
    message: faults[0] && message.startsWith('Variable ') ? faults[0].message : message,
    requestId: textOf(requestId),
    fields: faults,
    reason: typeof reason === 'string' ? (reason as UnauthorizedReason) : null,
    scope: typeof scope === 'string' ? scope : null,
    currentVersion: typeof currentVersion === 'number' ? currentVersion : null,
    changedFields: Array.isArray(changedFields) ? changedFields.map(String) : [],
    help: typeof help === 'string' ? help : null,
  };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const isFieldFault = (value: unknown): value is FieldFault =>
  isRecord(value) &&
  Array.isArray(value.path) &&
  typeof value.code === 'string' &&
  typeof value.reason === 'string' &&
  typeof value.message === 'string';
