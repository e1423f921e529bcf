import { fieldFault, type FieldFault } from '../errors/field-fault.js';
import { deepestHtml } from './allowed-html.rules.js';
import { cleanHtml } from './html.rules.js';
import { parseUrl } from './parse-url.rules.js';
import { type Warning, type WarningCode } from './warning.js';

/** What a request says of a field: nothing, that it be cleared, or a value. */
export type Given<T> = T | null | undefined;

const reasons = {
  notEmpty: { en: 'something else than an empty text', fr: 'autre chose qu’un texte vide' },
  url: { en: 'an http or https URL', fr: 'une URL http ou https' },
  email: { en: 'e-mail addresses', fr: 'des adresses e-mail' },
  unicode: {
    en: 'whole Unicode characters, without control characters',
    fr: 'composé de caractères Unicode entiers, sans caractère de contrôle',
  },
};

const units = {
  addresses: { en: 'addresses', fr: 'adresses' },
  raw: { en: 'characters before it is cleaned', fr: 'caractères avant d’être nettoyé' },
  depth: { en: 'tags within each other', fr: 'balises imbriquées' },
};

/**
 * Half a character, which JSON can write as an escape and no UTF-8 can hold; and control characters other than spaces and
 * line breaks, which nobody sees: a name with U+0000 in it would be found by none of its readers.
 */
const unreadable = /\p{Cs}|[^\P{Cc}\t\n\v\f\r]/u;

/** A host whose labels all have a character; one dot may end it. */
const host = /^[^.]+(?:\.[^.]+)*\.?$/;

/** How much longer an HTML text may be as it is sent than cleaned: what offices and mail programs paste is bulky. */
const rawHtmlFactor = 5;

/** Longest e-mail address, in octets (RFC 5321, 4.5.3.1). */
const emailMaxLength = 254;
const emailPattern =
  /^[^\s\p{Cc}\p{Cs}@<>()[\],;:\\"]+@[^\s\p{Cc}\p{Cs}@<>()[\],;:\\"]+\.[^\s\p{Cc}\p{Cs}@<>()[\],;:\\".]{2,}$/u;

/** Parts that a list may have in one text, doubles and empty ones among them. */
export const mostParts = 100;

/** Length as a reader counts it: in code points. */
export const codePointLength = (text: string): number => {
  let length = 0;
  for (let index = 0; index < text.length; index += 1, length += 1) {
    if (text.codePointAt(index)! > 0xffff) index += 1;
  }
  return length;
};

/**
 * Reads the fields of one request, whose texts are trimmed, and gathers every fault instead of stopping at the first
 * (Contract 7.3, 7.4). Of a field that is absent or at fault it answers undefined: there is nothing to store.
 */
export class FieldReader {
  private readonly gathered: FieldFault[];
  readonly warnings: Warning[] = [];

  /** @param readFaults what the door already found wrong while it read the body */
  constructor(readFaults: readonly FieldFault[]) {
    this.gathered = [...readFaults];
  }

  get faults(): readonly FieldFault[] {
    return this.gathered;
  }

  fail(fault: FieldFault): undefined {
    this.gathered.push(fault);
  }

  warn(code: WarningCode, field: string): void {
    this.warnings.push({ code, field });
  }

  /** A text that null and emptiness clear. At most `maximum` code points. */
  clearableText(field: string, given: Given<string>, maximum: number): Given<string> {
    if (!given) return given === undefined ? undefined : null;
    return this.bounded(field, given, maximum);
  }

  /**
   * An HTML text, cleaned, that null and emptiness clear (Contract 4.2.6). At most `maximum` code points once it is
   * cleaned, five times as many as it is sent.
   */
  html(
    field: string,
    given: Given<string>,
    maximum: number,
    { wrapPlainText }: { wrapPlainText: boolean },
  ): Given<string> {
    if (given == null) return given;
    if (codePointLength(given) > rawHtmlFactor * maximum)
      return this.fail(fieldFault.tooLong(field, rawHtmlFactor * maximum, units.raw));
    const { html, isChanged, exceeds } = cleanHtml(given, { wrapPlainText, maximum });
    if (exceeds === 'length') return this.fail(fieldFault.tooLong(field, maximum));
    if (exceeds === 'depth') return this.fail(fieldFault.tooLong(field, deepestHtml, units.depth));
    if (isChanged) this.warn('html-cleaned', field);
    const bounded = this.bounded(field, html, maximum);
    return bounded === '' ? null : bounded;
  }

  /** A text that cannot be cleared: null and emptiness are faults. At most `maximum` code points. */
  text(field: string, given: Given<string>, maximum: number): string | undefined {
    const text = this.present(field, given);
    return text === undefined ? undefined : this.bounded(field, text, maximum);
  }

  /** What a caller gave for a field that cannot be cleared. */
  present(field: string, given: Given<string>): string | undefined {
    if (given === undefined) return undefined;
    if (given === null) return this.fail(fieldFault.mustBe(field, 'string'));
    return given || this.fail(fieldFault.format(field, reasons.notEmpty));
  }

  /** An absolute http or https URL of at most `maximum` code points, kept as given. */
  url(field: string, given: Given<string>, maximum: number): string | undefined {
    const text = this.text(field, given, maximum);
    if (text === undefined) return undefined;
    // Browsers take a backslash for a slash and skip slashes too many, where other readers see another host; and people
    // take the name before an `@` for the host.
    const isHttp = /^https?:\/\/[^\s\p{Cc}\\/?#@]+(?:[/?#][^\s\p{Cc}\\]*)?$/iu.test(text);
    return isHttp && host.test(parseUrl(text)?.hostname ?? '')
      ? text
      : this.fail(fieldFault.format(field, reasons.url));
  }

  /**
   * A list of e-mail addresses, each element of which may hold several separated by `;`: trimmed, without doubles,
   * at most `maximum` (Contract 4.2.11). Null and an empty list clear; an empty text is a fault.
   */
  emails(field: string, given: Given<readonly string[]>, maximum: number): string[] | undefined {
    if (given === undefined) return undefined;
    if (given === null || given.length === 0) return [];
    // Past the bound nobody means what is there, and to tell every part apart would take as long as all else together.
    const parts = given.flatMap((element) => element.split(';', mostParts + 1));
    if (parts.length > mostParts) return this.fail(fieldFault.tooLong(field, maximum, units.addresses));
    const emails = parts.map((email) => email.trim());
    const distinct = new Map<string, string>();
    for (const email of emails.filter(Boolean)) {
      const key = email.toLowerCase();
      if (!distinct.has(key)) distinct.set(key, email);
    }
    const named = [...distinct.values()];
    const isWellFormed =
      named.length > 0 && named.every((email) => email.length <= emailMaxLength && emailPattern.test(email));
    if (!isWellFormed) return this.fail(fieldFault.format(field, reasons.email));
    if (named.length > maximum) return this.fail(fieldFault.tooLong(field, maximum, units.addresses));
    return named;
  }

  /** The text itself, if it can be stored as it is and has at most `maximum` code points. */
  bounded(field: string, text: string, maximum: number): string | undefined {
    if (unreadable.test(text)) return this.fail(fieldFault.format(field, reasons.unicode));
    return codePointLength(text) <= maximum ? text : this.fail(fieldFault.tooLong(field, maximum));
  }
}
