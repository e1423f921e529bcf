import { trimInvisible } from '../text/invisible.rules.js';
import { parseHttpUrl } from '../text/parse-url.rules.js';
import { type CompanyRecord } from './company.record.js';

export const identityKeys = { name: 'nameKey', domainUrl: 'domainKey' } as const;

/** Sites on which many companies have pages, with their subdomains and country forms, such as indeed.co.uk. */
const sharedSites = new RegExp(
  String.raw`(?:^|\.)(?:(?:facebook|linkedin|instagram|twitter|youtube|tiktok|pinterest|welcometothejungle|indeed|glassdoor)` +
    String.raw`\.(?:com|(?:com?\.)?[a-z]{2})|x\.com|linktr\.ee|sites\.google\.com)$`,
);

export const isDomain = (domainUrl: string): boolean => readDomain(domainUrl) !== null;

/** The unique key of a domain. Null if there is no valid host, or for a page on a shared site. */
export function domainKey(domainUrl: string): string | null {
  const domain = readDomain(domainUrl);
  return domain && !(domain.hasPath && sharedSites.test(domain.host)) ? domain.host : null;
}

/** The host in lower case, without `www`. Null if it is not valid. */
function readDomain(domainUrl: string): { host: string; hasPath: boolean } | null {
  const text = trimInvisible(domainUrl);
  const absolute = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  const url = parseHttpUrl(absolute);
  if (!url) return null;
  // In www.fr, `www` is the domain's own name.
  const host = url.hostname.replace(/\.$/, '').replace(/^(?:www\.)+(?=[^.]+\.)/, '');
  const isDomainName = /^(?!.{254})([a-z\d]([a-z\d-]{0,61}[a-z\d])?\.)+[a-z]([a-z\d-]{0,61}[a-z\d])?$/.test(
    host,
  );
  return isDomainName ? { host, hasPath: /[^/]/.test(url.pathname) } : null;
}

/** The paths that decide which callers reach a company. */
export const reachPaths = ['brand', 'createdBy'] as const satisfies (keyof CompanyRecord)[];
