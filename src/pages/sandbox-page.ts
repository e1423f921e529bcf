import { type onRequestAsyncHookHandler } from 'fastify';
import { prefersPage } from '../http/negotiation.js';
import { type OperationParameters } from '../graphql/trusted/named-document.js';
import { type DeveloperAuthorization } from './developer-authorization.js';
import { type Examples } from './example-operations.js';
import { sandboxPolicy } from './content-policy.js';
import { pageHeader, sendPage } from './html-page.js';

/** Serves Apollo Sandbox to browsers, without cookies or telemetry. Ignores other requests. */
export function sandboxPage(
  examples: Examples,
  authorizationOf: DeveloperAuthorization,
): onRequestAsyncHookHandler {
  return async (request, reply) => {
    if (request.method !== 'GET' || !prefersPage(request)) return;
    const { query, documentId, extensions } = request.query as OperationParameters;
    if ([query, documentId, extensions].some((part) => part !== undefined)) return;
    const html = await renderSandbox(examples, await authorizationOf(request));
    const nonce = nonceOf(html);
    await sendPage(request, reply, { html: withHead(html, nonce), policy: sandboxPolicy(nonce) });
  };
}

async function renderSandbox({ document, variables }: Examples, authorization: string | null) {
  const { ApolloServerPluginLandingPageLocalDefault } =
    await import('@apollo/server/plugin/landingPage/default');
  const plugin = ApolloServerPluginLandingPageLocalDefault({
    embed: { runTelemetry: false, endpointIsEditable: false, initialState: { pollForSchemaUpdates: false } },
    includeCookies: false,
    document,
    variables,
    ...(authorization !== null && { headers: { Authorization: authorization } }),
  });
  // Start the plugin for each request, since the header belongs to the request. The plugin ignores the argument.
  const listener = await plugin.serverWillStart?.(undefined as never);
  const page = await listener?.renderLandingPage?.();
  if (!page) throw new Error('Apollo Server has no landing page');
  return typeof page.html === 'string' ? page.html : page.html();
}

/** This page's policy does not allow the style sheet of the other pages. */
const ownStyle = `
    html { background: light-dark(#ffffff, #16191d); color: light-dark(#1b1f24, #e6e8eb); color-scheme: light dark; }
    .site, .fallback { font: 16px/1.55 system-ui, sans-serif; }
    .site, .site nav, .site .mark { align-items: center; display: flex; flex-wrap: wrap; gap: 0.25rem 1.1rem; }
    .site { border-bottom: 1px solid light-dark(#d7dbe0, #3b4048); box-sizing: border-box; min-height: 3.25rem; padding: 0.5rem 1.25rem; }
    .site a { color: inherit; text-decoration: none; }
    .site .mark { font-weight: 650; gap: 0.5rem; }
    .site .skip { position: absolute; }
    .site .skip:not(:focus) { clip-path: inset(50%); }
    .site .version { font-size: 0.85rem; margin-left: auto; }
    .fallback { margin: 0 auto; max-width: 46rem; opacity: 1; padding: 1.5rem 1.25rem; }
    .fallback a { color: light-dark(#0b57d0, #8ab4f8); }
    div#embeddableSandbox { height: calc(100vh - 3.25rem); top: 3.25rem; }
    #embeddableSandbox:empty { pointer-events: none; }`;

/**
 * Adds the head of all pages and, in case Sandbox's scripts do not load, a link to GraphiQL. Without the style, Sandbox's empty frame
 * would catch clicks on the links.
 */
const withHead = (html: string, nonce: string): string =>
  html.replace(
    /<div class="fallback">[^]*?<\/div>/,
    `${pageHeader({ hasExplorer: true })}
  <main id="content" class="fallback">
    <h1>Apollo Sandbox cannot be loaded</h1>
    <p>The machine that serves its scripts does not answer.</p>
    <p>Use the <a href="./explorer">explorer</a> instead: this gateway serves it.</p>
  </main>
  <style nonce="${nonce}">${ownStyle}
  </style>`,
  );

function nonceOf(html: string): string {
  const nonce = /<script nonce="([\w-]+)"/.exec(html)?.[1];
  if (nonce === undefined) throw new Error('the landing page has no nonce');
  return nonce;
}
