import { wireCodes, type WireCode } from './error-codes.js';
import { isRecord } from './is-record.js';

/** One thing wrong with one field of the input. */
export interface FieldFault {
  /** The field's place in the variables, such as `['input', 'salary']`. */
  path: string[];
  code: string;
  /** For people, in the requested language. */
  message: string;
}

/** An error of the gateway, from `errors[]` of a reply. */
export interface GatewayError {
  /** The code to switch over. */
  error: WireCode;
  /** `UNAUTHENTICATED`: get another token. `FORBIDDEN`: a new token will not help. */
  code: string;
  status: number;
  /** For people, in the requested language. */
  message: string;
  /** The operator can look this id up in the log. */
  requestId: string;
  /** For `validation-failed`, every fault of the request; otherwise empty. */
  fields: FieldFault[];
}

/** Reads an entry of `errors[]`; null if the entry does not come from the gateway. */
export function readGatewayError(entry: unknown): GatewayError | null {
  if (!isRecord(entry) || !isRecord(entry.extensions)) return null;
  const { error, code, status, requestId, fields } = entry.extensions;
  if (!isWireCode(error) || typeof status !== 'number') return null;
  return {
    error,
    code: textOf(code),
    status,
    message: textOf(entry.message),
    requestId: textOf(requestId),
    fields: Array.isArray(fields) ? fields.filter(isFieldFault) : [],
  };
}

const codes: ReadonlySet<unknown> = new Set(Object.values(wireCodes));
const isWireCode = (value: unknown): value is WireCode => codes.has(value);

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const isFieldFault = (value: unknown): value is FieldFault =>
  isRecord(value) &&
  Array.isArray(value.path) &&
  typeof value.code === 'string' &&
  typeof value.message === 'string';
