import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { installPackedClient } from './packed-client.js';
import { root } from './process.js';

const folder = join(root, 'test/front-end/browser');

/** The site of a front-end, at another origin than the gateway. */
export interface Site {
  origin: string;
  /** The tokens that sign-in returns, in order. The last token repeats. */
  tokens: string[];
  stop: () => Promise<void>;
}

/** Serves `browser/page.html` with the packed typed client. */
export async function startSite(): Promise<Site> {
  const client = await installPackedClient();
  const script = await client.bundle(join(folder, 'page.ts'));
  const html = await readFile(join(folder, 'page.html'), 'utf8');
  const site: Pick<Site, 'tokens'> = { tokens: [] };
  const server = createServer(({ url = '/' }, reply) => {
    const { tokens } = site;
    if (url === '/page.js') reply.setHeader('content-type', 'text/javascript').end(script);
    else if (url === '/token') reply.end(tokens.length > 1 ? tokens.shift() : tokens[0]);
    else reply.setHeader('content-type', 'text/html').end(html);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return Object.assign(site, {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await client.remove();
    },
  });
}
