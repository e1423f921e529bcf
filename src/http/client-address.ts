import { type FastifyRequest } from 'fastify';
import { isIP } from 'node:net';

/** Some proxies add a port, and brackets around IPv6, in `X-Forwarded-For`. */
const port = /^\[(.*)\](?::\d+)?$|^([\d.]+):\d+$/;

/** The IP address of the caller; of the connection, if the trusted proxies name something that is no IP address (Contract 8.3.1). */
export function clientAddress({ ip, socket }: Pick<FastifyRequest, 'ip' | 'socket'>): string {
  // Both are undefined once the connection is closed.
  const address = (ip as string | undefined)?.replace(port, '$1$2') ?? '';
  return isIP(address) ? address : (socket.remoteAddress ?? '');
}
