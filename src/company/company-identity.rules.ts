import { parseHttpUrl } from '../text/parse-url.rules.js';
import { type CompanyRecord } from './company.model.js';

export const identityKeys = { name: 'nameKey', domainUrl: 'domainKey' } as const;

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

/** The paths that decide which callers reach a company. */
export const reachPaths = ['brand', 'createdBy'] as const satisfies (keyof CompanyRecord)[];
