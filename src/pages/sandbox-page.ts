import { ApolloServerPluginLandingPageLocalDefault } from '@apollo/server/plugin/landingPage/default';
import { type onRequestAsyncHookHandler } from 'fastify';
import { type DeveloperAuthorization } from './developer-authorization.js';
import { type Examples } from './example-operations.js';
import { sandboxPolicy } from './content-policy.js';

/**
 * Answers a browser that opens `/graphql` with Apollo Sandbox, connected to the gateway and filled with the examples;
 * every other request goes on to the operations. It keeps no cookies and sends Apollo no telemetry.
 */
export function sandboxPage(
  examples: Examples,
  authorizationOf: DeveloperAuthorization,
): onRequestAsyncHookHandler {
  return async (request, reply) => {
    if (request.method !== 'GET') return;
    const { query } = request.query as { query?: unknown };
    if (query !== undefined || !/\btext\/html\b/.test(request.headers.accept ?? '')) return;
    const html = await renderSandbox(examples, await authorizationOf(request));
    const nonce = nonceOf(html);
    await reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', sandboxPolicy(nonce))
      .header('cache-control', 'no-store')
      .send(withFallback(html, nonce));
  };
}

async function renderSandbox(
  { document, variables }: Examples,
  authorization: string | null,
): Promise<string> {
  const plugin = ApolloServerPluginLandingPageLocalDefault({
    embed: { runTelemetry: false, endpointIsEditable: false, initialState: { pollForSchemaUpdates: false } },
    includeCookies: false,
    document,
    variables,
    ...(authorization !== null && { headers: { Authorization: authorization } }),
  });
  // The plugin does not read what Apollo passes at the start, and the header to fill in belongs to this request.
  const listener = await plugin.serverWillStart?.(undefined as never);
  const page = await listener?.renderLandingPage?.();
  if (!page) throw new Error('Apollo Server has no landing page');
  return typeof page.html === 'string' ? page.html : page.html();
}

/** Points to the other pages when Sandbox's scripts cannot be loaded. Its empty frame must not swallow the click. */
const withFallback = (html: string, nonce: string): string =>
  html.replace(
    /(Sandbox cannot be loaded[^<]*)<\/p>/,
    `$1</p><p>GraphiQL at <a href="/explorer">/explorer</a> needs no other machine.</p>
  <style nonce="${nonce}">#embeddableSandbox:empty { pointer-events: none; }</style>`,
  );

function nonceOf(html: string): string {
  const nonce = /<script nonce="([\w-]+)"/.exec(html)?.[1];
  if (nonce === undefined) throw new Error('the landing page has no nonce');
  return nonce;
}
