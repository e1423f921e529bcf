import { trimTexts } from '../fields/fields.rules.js';
import { type InputValue } from '../fields/field-types.rules.js';
import { snakeCase } from '../errors/snake-case.js';
import { visibleExcerpt } from '../errors/messages.js';
import { documentedFault, fieldFault, type FieldFault } from '../errors/field-fault.js';
import {
  callerFields,
  neededKeys,
  operatorFields,
  type OperatorValues,
  type RecordKind,
  recordKinds,
} from './line-format.js';
import { type Codec, CodecError } from './codec.js';

export type LineFault = ReturnType<typeof documentedFault>;

/** Parsed as far as possible without the database. */
export interface Line<Kind extends RecordKind = RecordKind> {
  file: string;
  number: number;
  /** Trimmed values of fields that callers may write too, by GraphQL name. */
  fields: Readonly<Record<string, InputValue | null>>;
  /** Values that only an operator may set, by key of the file. */
  own: OperatorValues<Kind>;
  faults: LineFault[];
  /** Keys that the format does not have, made safe for display. */
  unknown: string[];
}

export const fault = {
  missing: (field: string): LineFault => ({
    field,
    code: `missing-${field}`,
    message: `${field} is required in a new record.`,
  }),
  of: (field: string, { kind, message }: CodecError): LineFault => ({
    field,
    code: `${field}-${kind}`,
    message: `${field} must be ${message}.`,
  }),
  mustBe: (field: string, expected: string): LineFault => fault.of(field, new CodecError(expected)),
  notFound: (field: string, what: string): LineFault => ({
    field,
    code: `${field}-not-found`,
    message: `${field}: no ${what} in the database or in a valid line.`,
  }),
  fromRules: (found: FieldFault): LineFault => documentedFault(found, 'en'),
};

const entriesByName = new Map(
  recordKinds.map((kind) => [
    kind,
    new Map(Object.entries(callerFields[kind]).map((entry) => [snakeCase(entry[0]), entry])),
  ]),
);

export function readLine<Kind extends RecordKind>(
  kind: Kind,
  values: Readonly<Record<string, unknown>>,
  { file, number }: { file: string; number: number },
): Line<Kind> {
  const fields: Record<string, InputValue | null> = {};
  const own: Record<string, unknown> = {};
  const line: Line = { file, number, fields, own, faults: [], unknown: [] };
  const codecs = operatorFields[kind] as Record<string, Codec<unknown>>;
  for (const [key, value] of Object.entries(values)) {
    const entry = entriesByName.get(kind)?.get(key);
    // `constructor` and other inherited keys are not fields.
    const codec = Object.hasOwn(codecs, key) ? codecs[key] : undefined;
    if (key === 'kind' || value === undefined) continue;
    if (codec) {
      try {
        own[key] = codec.read(value);
      } catch (error) {
        if (!(error instanceof CodecError)) throw error;
        line.faults.push(fault.of(key, error));
      }
    } else if (!entry) line.unknown.push(visibleExcerpt(key));
    else {
      const [name, { type: format }] = entry;
      const read = value === null ? null : format.parse(value);
      if (read === undefined) line.faults.push(fault.fromRules(fieldFault.mustBe(name, format.inputType)));
      else fields[name] = read;
    }
  }
  for (const key of neededKeys[kind].always)
    if (values[key] === undefined)
      line.faults.push({ ...fault.missing(key), message: `${key} is required.` });
  return { ...line, fields: trimTexts(fields) } as Line<Kind>;
}

export const missingWhenNew = (kind: RecordKind, { fields, own, faults }: Line): LineFault[] =>
  neededKeys[kind].whenNew
    .filter((key) => !(key in own) && !(key in fields) && !faults.some(({ field }) => field === key))
    .map(fault.missing);
