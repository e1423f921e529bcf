import { type Language } from '../errors/catalogue.js';
import { excerpt } from '../errors/messages.js';
import { fieldFault, type FieldFault, inGroups, notEmpty } from '../errors/field-fault.js';
import { controlCharacter, hasInvisible, isBlank, trimInvisible } from '../text/invisible.rules.js';
import { deepestHtml } from '../text/html-writer.rules.js';
import { cleanHtml } from '../text/html.rules.js';
import { instantOrDate, type Instants, readInstantOrDate } from './instant.rules.js';
import { parseHttpUrl } from '../text/parse-url.rules.js';
import { type Warning, warningMessages, type WarningView } from './warning.js';

/** Absent (undefined), to be cleared (null), or a value. */
export type Nullable<T> = T | null | undefined;

const reasons = {
  decimal: (maximum: number) => ({
    en: `Enter an amount from 0 to ${inGroups(maximum)} with at most two decimals.`,
    fr: `Saisissez un montant de 0 à ${inGroups(maximum)} avec au plus deux décimales.`,
    parameters: { minimum: 0, maximum },
  }),
  url: { en: 'Enter an http or https URL.', fr: 'Saisissez une URL http ou https.' },
  email: { en: 'Enter an e-mail address.', fr: 'Saisissez une adresse e-mail.' },
  unicode: {
    en: 'Remove control characters and broken characters.',
    fr: 'Retirez les caractères de contrôle et les caractères incomplets.',
  },
};

const units = {
  addresses: { en: 'addresses', fr: 'adresses' },
  raw: {
    en: 'characters before it is cleaned',
    fr: 'caractères avant d’être nettoyé',
    parameter: 'maximumRawLength',
  },
  depth: { en: 'levels of nested tags', fr: 'niveaux de balises imbriquées', parameter: 'maximumDepth' },
};

export const emptyText = (field: string): FieldFault => fieldFault.format(field, notEmpty);

/** Half a surrogate pair cannot be encoded as UTF-8, and nobody could search for a name with an invisible U+0000. */
export const unstorable = new RegExp(`\\p{Cs}|${controlCharacter.source}`, 'u');

/** HTML may be this many times longer before cleaning: office and mail programs paste bulky markup. */
export const rawHtmlFactor = 5;

/** In octets (RFC 5321, 4.5.3.1). */
const emailMaxLength = 254;
/** Excludes invisible format characters: two addresses that look the same could differ. ﹫ and ＠ look like @. */
const emailCharacter = String.raw`[^\s\p{Cc}\p{Cf}\p{Cs}@\ufe6b\uff20<>()[\],;:\\".]`;
/** Some scripts need the two invisible joiners inside words, and domain labels may contain them. */
const labelRest = String.raw`(?:${emailCharacter}|[\u200c\u200d])`;
export const emailPattern = new RegExp(
  String.raw`^${emailCharacter}+(?:\.${emailCharacter}+)*@` +
    String.raw`(?:(?!-)${emailCharacter}${labelRest}*(?<!-)\.)+(?!-)${emailCharacter}${labelRest}+(?<!-)$`,
  'u',
);

const isEmail = (text: string): boolean =>
  Buffer.byteLength(text) <= emailMaxLength && emailPattern.test(text);

const isHttpUrl = (text: string): boolean => !/\s/.test(text) && parseHttpUrl(text) !== null;

export const decimalPattern = /^\d{1,15}(\.\d{1,2})?$/;

/** How many parts a list may have in one text, including repeated and empty parts. */
export const mostParts = 100;

export const codePointLength = (text: string): number => {
  let length = 0;
  for (let index = 0; index < text.length; index += 1, length += 1) {
    if (text.codePointAt(index)! > 0xffff) index += 1;
  }
  return length;
};

/**
 * Validates trimmed fields and gathers all faults. Each method returns undefined for an invalid field. The `maximum` of a text is in code
 * points.
 */
export class FieldReader {
  readonly faults: FieldFault[];
  readonly warnings: Warning[] = [];

  /** @param faults of the fields that could not be read */
  constructor(faults: readonly FieldFault[] = []) {
    this.faults = [...faults];
  }

  fail(fault: FieldFault): undefined {
    this.faults.push(fault);
  }

  /** Says where GraphQL has the fields of an object, for their faults so far. */
  placeFaults(paths: ReadonlyMap<string, readonly string[]>): void {
    for (const [at, fault] of this.faults.entries()) {
      const path = paths.get(fault.field);
      if (path) this.faults[at] = { ...fault, path };
    }
  }

  warn(code: Warning['code'], field: string): void {
    this.warnings.push({ code, field });
  }

  /** HTML may have `maximum` code points after cleaning, and five times as many before. Null if nothing is left. */
  html(
    field: string,
    value: string,
    maximum: number,
    { wrapPlainText }: { wrapPlainText: boolean },
  ): Nullable<string> {
    if (codePointLength(value) > rawHtmlFactor * maximum)
      return this.fail(fieldFault.tooLong(field, rawHtmlFactor * maximum, units.raw));
    const { html, isChanged, isEscaped, exceeds } = cleanHtml(value, { wrapPlainText, maximum });
    if (exceeds === 'length') return this.fail(fieldFault.tooLong(field, maximum));
    if (exceeds === 'depth') return this.fail(fieldFault.tooLong(field, deepestHtml, units.depth));
    if (isChanged) this.warn('html-cleaned', field);
    if (isEscaped) this.warn('text-escaped', field);
    const bounded = this.bounded(field, html, maximum);
    return bounded === '' ? null : bounded;
  }

  /** A text that nobody sees is a fault. */
  text(field: string, value: string, maximum: number): string | undefined {
    const text = this.present(field, value);
    return text === undefined ? undefined : this.bounded(field, text, maximum);
  }

  /** Null and a text that nobody sees are faults. */
  present(field: string, value: string | null): string | undefined {
    if (value === null) return this.fail(fieldFault.notClearable(field));
    return isBlank(value) ? this.fail(emptyText(field)) : value;
  }

  /** An absolute http or https URL or what else is accepted, as given, but without invisible characters at its ends. */
  url(
    field: string,
    value: string,
    maximum: number,
    { accepts = isHttpUrl, fault = fieldFault.format(field, reasons.url) } = {},
  ): string | undefined {
    const text = this.text(field, trimInvisible(value), maximum);
    if (text === undefined) return undefined;
    return !hasInvisible(text) && accepts(text) ? text : this.fail(fault);
  }

  /** From 0 to `maximum`, with at most two decimals. Returns the shortest form. */
  decimal(field: string, value: string, maximum: number): string | undefined {
    const isDecimal = decimalPattern.test(value) && Number(value) <= maximum;
    return isDecimal ? String(Number(value)) : this.fail(fieldFault.format(field, reasons.decimal(maximum)));
  }

  /** An instant with a UTC offset, or a date. */
  instant(field: string, value: string): Instants | undefined {
    return readInstantOrDate(value) ?? this.fail(fieldFault.format(field, instantOrDate));
  }

  /**
   * Trims addresses and drops duplicates. One element may hold several addresses, separated by `;`. An empty text
   * is a fault.
   */
  emails(field: string, value: readonly string[], maximum: number): string[] | undefined {
    if (value.length === 0) return [];
    // Splitting any number of parts could take as long as the rest of the request.
    const parts = value.flatMap((element) => element.split(';', mostParts + 1));
    if (parts.length > mostParts) return this.fail(fieldFault.tooMany(field, maximum, units.addresses));
    const emails = parts.map((email) => email.trim());
    const distinct = new Map<string, string>();
    for (const email of emails.filter(Boolean)) {
      const key = email.toLowerCase();
      if (!distinct.has(key)) distinct.set(key, email);
    }
    const named = [...distinct.values()];
    if (named.length === 0) return this.fail(fieldFault.format(field, reasons.email));
    if (!named.every(isEmail)) {
      const elements = value.flatMap((element, at) =>
        element.split(';').every((email) => !email.trim() || isEmail(email.trim())) ? [] : [at],
      );
      return this.fail({ ...fieldFault.format(field, reasons.email), elements });
    }
    if (named.length > maximum) return this.fail(fieldFault.tooMany(field, maximum, units.addresses));
    return named;
  }

  bounded(field: string, text: string, maximum: number): string | undefined {
    if (unstorable.test(text)) return this.fail(fieldFault.format(field, reasons.unicode));
    return codePointLength(text) <= maximum ? text : this.fail(fieldFault.tooLong(field, maximum));
  }
}

/** Someone who sends more has not just mistyped a name. */
export const mostUnknownFields = 20;

/**
 * Adds a warning for each unknown field, up to the limit. The payload stores its warnings, so a repeated call gets the
 * warnings of the first call.
 */
export function toWarnings(
  warnings: readonly Warning[],
  { language, unknownFields }: { language: Language; unknownFields: readonly string[] },
): WarningView[] {
  const ignored = unknownFields
    .slice(0, mostUnknownFields)
    .map((field): Warning => ({ code: 'unknown-field', field: excerpt(field) }));
  return [...warnings, ...ignored].map(({ code, field }) => ({
    code,
    field,
    message: warningMessages[code][language],
  }));
}
