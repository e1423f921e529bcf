import { parseHttpUrl } from '../content/parse-url.rules.js';
import { visibleText } from '../content/visible-text.js';

export const identityKeys = { name: 'nameKey', domainUrl: 'domainKey' } as const;

/** Marks on a Latin or Greek letter, and marks without a letter. In other scripts, a mark can make another letter: バリ is not パリ. */
const accents = /(^|[\s\p{Script=Latin}\p{Script=Greek}])\p{M}+/gu;

/**
 * Ignores case, accents, ligatures, invisible characters and repeated spaces (Contract 4.1.6). If you change the result,
 * repair-name-keys.ts recomputes the stored keys at the next start.
 */
export function nameKey(name: string): string {
  return (
    visibleText(name)
      // Some letters match only in upper case: ς and σ, ı and i.
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

/** The domain's host in lower case, without `www`. Null if there is no valid host. */
export function domainKey(domainUrl: string): string | null {
  const text = domainUrl.trim();
  const absolute = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  const url = parseHttpUrl(absolute);
  if (!url) return null;
  // In www.fr, `www` is the domain's own name.
  const host = url.hostname.replace(/\.$/, '').replace(/^(?:www\.)+(?=[^.]+\.)/, '');
  const isDomainName = /^(?!.{254})([a-z\d]([a-z\d-]{0,61}[a-z\d])?\.)+[a-z]([a-z\d-]{0,61}[a-z\d])?$/.test(
    host,
  );
  return isDomainName ? host : null;
}
