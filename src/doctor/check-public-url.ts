import { isLoopback } from '../tokens/developer-token.js';
import { type Settings } from '../settings/settings.js';
import { about, type Finding } from './finding.js';

const isEveryAddress = (host: string): boolean => /^(0\.0\.0\.0|\[?::\]?)$/.test(host);

export function checkPublicUrl({ environment, publicUrl, host, trustedProxies }: Settings): Finding[] {
  const { ok, warn } = about('url');
  const isProduction = environment === 'production';
  if (publicUrl === undefined) {
    const isOfUse = !isEveryAddress(host) && !(isProduction && isLoopback(host));
    return [
      isOfUse
        ? ok('URLs in replies have the address that the gateway listens on')
        : warn(
            `PUBLIC_URL is not set: URLs in replies point to ${host}, which callers cannot reach`,
            'set PUBLIC_URL to where callers reach the gateway',
          ),
    ];
  }
  const { protocol, hostname } = new URL(publicUrl);
  const findings: Finding[] = [];
  const add = (what: string, fix: string) => findings.push(warn(what, fix));
  if (isEveryAddress(hostname))
    add(`PUBLIC_URL ${publicUrl} is not an address to call`, 'set it to where callers reach the gateway');
  else if (isProduction && isLoopback(hostname))
    add(`PUBLIC_URL ${publicUrl} is the caller’s own machine`, 'set it to where callers reach the gateway');
  else if (isProduction && protocol === 'http:')
    add(`PUBLIC_URL ${publicUrl} sends tokens unencrypted`, 'put a proxy with TLS in front of the gateway');
  if (protocol === 'https:' && trustedProxies.length === 0)
    add(
      'PUBLIC_URL has https, so a proxy is in front of the gateway, but TRUSTED_PROXIES is empty: failed authentications of all callers count for one address',
      'set TRUSTED_PROXIES to the addresses of the proxy',
    );
  return findings.length > 0 ? findings : [ok(`URLs in replies point to ${publicUrl}`)];
}
