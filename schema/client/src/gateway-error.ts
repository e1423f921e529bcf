import { wireCodes, type WireCode } from './error-codes.js';
import { isRecord } from './is-record.js';

/** One thing wrong with one field of the input. */
export interface FieldFault {
  /** Where in the variables: `['input', 'salary']`. */
  path: string[];
  code: string;
  /** For a person, in the language asked for. */
  message: string;
}

/** An error of the gateway as `errors[]` of a reply tells it. */
export interface GatewayError {
  /** What a switch goes by: every code of the catalogue, and nothing else. */
  error: WireCode;
  /** `UNAUTHENTICATED` asks for another token, `FORBIDDEN` says that no other will do. */
  code: string;
  status: number;
  /** For a person, in the language asked for. */
  message: string;
  /** What the operator finds in the log. */
  requestId: string;
  /** Every fault of the request for `validation-failed`, else empty. */
  fields: FieldFault[];
}

/** Reads an entry of `errors[]`. Null for what no gateway wrote, such as the page of a proxy. */
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
