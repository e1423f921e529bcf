import { build } from 'esbuild';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { isLoopback } from '../../src/tokens/developer-token.js';
import { root } from './process.js';

const example = join(root, 'schema/client/example');

/** The site of a front-end, at another origin than the gateway. */
export interface Site {
  origin: string;
  /** The tokens that sign-in returns, in order. The last token repeats. */
  tokens: string[];
  stop: () => void;
}

interface SiteOptions {
  port?: number;
  /** Default: returns `tokens`. */
  signIn?: () => Promise<string>;
}

/** Serves the example of the client package. */
export async function startExampleSite(options: SiteOptions = {}): Promise<Site> {
  const entryPoints = ['main.ts', 'style.css'].map((file) => join(example, file));
  const built = await build({ entryPoints, outdir: example, bundle: true, write: false, format: 'esm' });
  const [script = '', style = ''] = built.outputFiles.map(({ text }) => text);
  const html = await readFile(join(example, 'index.html'), 'utf8');
  const inline = () => `<style>${style}</style>`;
  return serveSite({ script, html: html.replace(/<link rel="stylesheet".*?>/, inline) }, options);
}

/** Serves a page whose script is `/page.js`. */
export async function serveSite(
  { script, html }: { script: string; html: string },
  { port = 0, signIn }: SiteOptions = {},
): Promise<Site> {
  const site: Pick<Site, 'tokens'> = { tokens: [] };
  const nextToken = async () => (site.tokens.length > 1 ? site.tokens.shift() : site.tokens[0]);
  const server = createServer((request, reply) => {
    const url = new URL(request.url ?? '/', `http://${request.headers.host}`);
    // A foreign name for 127.0.0.1 would let its pages read the token.
    if (!isLoopback(url.hostname)) reply.writeHead(403).end();
    else if (url.pathname === '/page.js') reply.setHeader('content-type', 'text/javascript').end(script);
    else if (url.pathname === '/token') void (signIn ?? nextToken)().then((token) => reply.end(token));
    else reply.setHeader('content-type', 'text/html').end(html);
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  return Object.assign(site, {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  });
}
