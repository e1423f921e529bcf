import { once } from 'node:events';
import { createServer, isIP } from 'node:net';
import { isLoopback } from '../access/developer-token.js';
import { type Settings } from '../settings.js';
import { about, type Finding } from './finding.js';
import { listenFault } from './start-fault.js';

const answerMs = 2_000;

const isEveryAddress = (host: string): boolean => /^(0\.0\.0\.0|\[?::\]?)$/.test(host);

/** Checks that the gateway can listen on its address, or does so already. */
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

/** What a gateway that listens there says of itself; null if it is another program. */
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
    if (status === 'ready') return ok(`${place} is held by a running gateway, which is ready`);
    const failed = Object.keys(checks ?? {}).filter((name) => checks?.[name] !== true);
    if (status === 'not-ready')
      return warn(
        `${place} is held by a running gateway, which is not ready: ${failed.join(', ')}`,
        'its log says why',
      );
  } catch {
    // What answers there is no gateway.
  }
  return null;
}

/** Checks that the URLs in replies lead to the gateway, over HTTPS where it matters. */
export function checkPublicUrl({ environment, publicUrl, host, trustedProxies }: Settings): Finding[] {
  const { ok, warn } = about('url');
  const isProduction = environment === 'production';
  if (publicUrl === undefined) {
    const isOfUse = !isEveryAddress(host) && !(isProduction && isLoopback(host));
    return [
      isOfUse
        ? ok('replies hold URLs of the address that the gateway listens on')
        : warn(
            `PUBLIC_URL is not set: replies hold URLs at ${host}, which lead callers nowhere`,
            'set PUBLIC_URL to where callers reach the gateway',
          ),
    ];
  }
  const { protocol, hostname } = new URL(publicUrl);
  const findings: Finding[] = [];
  const add = (what: string, mend: string) => findings.push(warn(what, mend));
  if (isEveryAddress(hostname))
    add(`PUBLIC_URL ${publicUrl} leads callers nowhere`, 'set it to where callers reach the gateway');
  else if (isProduction && isLoopback(hostname))
    add(`PUBLIC_URL ${publicUrl} leads callers to themselves`, 'set it to where callers reach the gateway');
  else if (isProduction && protocol === 'http:')
    add(`PUBLIC_URL ${publicUrl} has tokens travel in the clear`, 'put a proxy with TLS before the gateway');
  if (protocol === 'https:' && trustedProxies.length === 0)
    add(
      'a proxy stands before the gateway and TRUSTED_PROXIES is empty: failed authentications of all callers count as one address’s',
      'name the proxy’s addresses in TRUSTED_PROXIES',
    );
  return findings.length > 0 ? findings : [ok(`replies hold URLs at ${publicUrl}`)];
}
