import { parseUrl } from '../content/parse-url.rules.js';

/** A company name as it is compared: without case, accents, ligatures and doubled spaces (Contract 4.1.6). */
export function nameKey(name: string): string {
  return (
    name
      // Letters that case tells apart may meet in capitals only: ς and σ, ı and i.
      .toUpperCase()
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .toUpperCase()
      .toLowerCase()
      .replace(/œ/g, 'oe')
      .replace(/æ/g, 'ae')
      .replace(/ß/g, 'ss')
      .replace(/\s+/g, ' ')
      .trim()
  );
}

/** A web domain as it is compared: its host without scheme, path, port, `www` and case; null when it has none. */
export function domainKey(domainUrl: string): string | null {
  const text = domainUrl.trim();
  const absolute = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  const url = parseUrl(absolute);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) return null;
  // A `www` that is the domain itself, as in www.fr, stays.
  const host = url.hostname.replace(/\.$/, '').replace(/^(?:www\.)+(?=[^.]+\.)/, '');
  const isDomainName = /^(?!.{254})([a-z\d]([a-z\d-]{0,61}[a-z\d])?\.)+[a-z]([a-z\d-]{0,61}[a-z\d])?$/.test(
    host,
  );
  return isDomainName ? host : null;
}
