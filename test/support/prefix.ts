import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { type AddressInfo } from 'node:net';

/** Serves a gateway under a path and strips the path, as nginx does with `location /gateway/`. */
export interface PrefixProxy {
  /** The gateway's URL for callers, without a trailing slash. */
  url: string;
  /** The paths of requests outside of `/gateway/`. */
  strayed: string[];
  stop: () => void;
}

/** Start the proxy before its gateway, which needs the proxy's address. */
export async function startPrefixProxy(gatewayUrl: () => string): Promise<PrefixProxy> {
  const prefix = '/gateway/';
  const strayed: string[] = [];
  const server = createServer((asked, reply) => {
    const { method, headers, url = '' } = asked;
    if (!url.startsWith(prefix)) {
      strayed.push(url);
      return reply.writeHead(404).end('not the gateway');
    }
    const passed = request(gatewayUrl() + url.slice(prefix.length - 1), { method, headers });
    passed.on('response', (answer) => {
      reply.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(reply);
    });
    passed.on('error', () => reply.destroy());
    return asked.pipe(passed);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${prefix.slice(0, -1)}`,
    strayed,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
