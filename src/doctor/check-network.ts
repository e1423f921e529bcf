import { once } from 'node:events';
import { createServer, isIP } from 'node:net';
import { isLoopback } from '../tokens/developer-token.js';
import { type Settings } from '../settings/settings.js';
import { about, type Finding } from './finding.js';
import { listenFault } from './start-fault.js';

const answerMs = 2_000;

const isEveryAddress = (host: string): boolean => /^(0\.0\.0\.0|\[?::\]?)$/.test(host);

export async function checkPort(settings: Settings): Promise<Finding[]> {
  const { host, port } = settings;
  const { ok } = about('port');
  const place = `port ${port} of ${host}`;
  const fault = await tryToListen(host, port);
  if (fault === null) return [ok(port === 0 ? `a free port of ${host}` : `${place} is free`)];
  const gateway = fault.code === 'EADDRINUSE' ? await findGateway(host, port, place) : null;
  return [gateway ?? listenFault(fault, settings)];
}

async function tryToListen(host: string, port: number): Promise<NodeJS.ErrnoException | null> {
  const server = createServer();
  try {
    server.listen({ host, port });
    await once(server, 'listening');
    return null;
  } catch (error) {
    return error as NodeJS.ErrnoException;
  } finally {
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  }
}

/** Returns null if another program listens on the port. */
async function findGateway(host: string, port: number, place: string): Promise<Finding | null> {
  const { ok, warn } = about('port');
  const address = isEveryAddress(host) ? 'localhost' : isIP(host) === 6 ? `[${host}]` : host;
  try {
    const response = await fetch(`http://${address}:${port}/ready`, {
      signal: AbortSignal.timeout(answerMs),
    });
    const { status, checks } = (await response.json()) as {
      status?: unknown;
      checks?: Record<string, unknown>;
    };
    if (status === 'ready') return ok(`${place} is in use by a running gateway, which is ready`);
    const failed = Object.keys(checks ?? {}).filter((name) => checks?.[name] !== true);
    if (status === 'not-ready')
      return warn(
        `${place} is in use by a running gateway, which is not ready: ${failed.join(', ')}`,
        'its log says why',
      );
  } catch {
    // Not a gateway.
  }
  return null;
}

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
