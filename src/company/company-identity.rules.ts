import { parseHttpUrl } from '../content/parse-url.rules.js';
import { visibleText } from '../content/visible-text.js';

/** The fields that can identify a company, each with the path of the form in which its values are compared. */
export const identityKeys = { name: 'nameKey', domainUrl: 'domainKey' } as const;

/** Marks on Latin or Greek letters, or on nothing. On others they may make another letter: バリ and パリ are two names. */
const accents = /(^|[\s\p{Script=Latin}\p{Script=Greek}])\p{M}+/gu;

/**
 * The form in which two company names are compared: no case, accents, ligatures, invisible characters or doubled spaces
 * (Contract 4.1.6). A change of what it answers must have the stored keys computed again: see company/mend-name-keys.ts.
 */
export function nameKey(name: string): string {
  return (
    visibleText(name)
      // Some letters are the same in capitals alone: ς and σ, ı and i.
      .toUpperCase()
      .normalize('NFKD')
      .replace(accents, '$1')
      .toUpperCase()
      .toLowerCase()
      .replace(/œ/g, 'oe')
      .replace(/æ/g, 'ae')
      .replace(/ß/g, 'ss')
      .replace(/\s+/g, ' ')
      .trim()
  );
}

/** The form in which two web domains are compared: the host alone, in lower case and without `www`. Null if there is no host. */
export function domainKey(domainUrl: string): string | null {
  const text = domainUrl.trim();
  const absolute = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  const url = parseHttpUrl(absolute);
  if (!url) return null;
  // In www.fr, `www` is the domain itself and stays.
  const host = url.hostname.replace(/\.$/, '').replace(/^(?:www\.)+(?=[^.]+\.)/, '');
  const isDomainName = /^(?!.{254})([a-z\d]([a-z\d-]{0,61}[a-z\d])?\.)+[a-z]([a-z\d-]{0,61}[a-z\d])?$/.test(
    host,
  );
  return isDomainName ? host : null;
}
