import { type onRequestAsyncHookHandler } from 'fastify';
import { prefersPage } from '../http/negotiation.js';
import { type OperationBody } from '../graphql/trusted/named-document.js';
import { type DeveloperAuthorization } from './developer-authorization.js';
import { type Examples } from './example-operations.js';
import { sandboxPolicy } from './content-policy.js';
import { sendPage } from './html-page.js';

/** Serves Apollo Sandbox to browsers, without cookies or telemetry. Ignores other requests. */
export function sandboxPage(
  examples: Examples,
  authorizationOf: DeveloperAuthorization,
): onRequestAsyncHookHandler {
  return async (request, reply) => {
    if (request.method !== 'GET' || !prefersPage(request)) return;
    const { query, documentId, extensions } = request.query as OperationBody;
    if ([query, documentId, extensions].some((part) => part !== undefined)) return;
    const html = await renderSandbox(examples, await authorizationOf(request));
    const nonce = nonceOf(html);
    await sendPage(reply, withFallback(html, nonce), sandboxPolicy(nonce));
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
const fallbackStyle = `
    html { background: light-dark(#ffffff, #16191d); color: light-dark(#1b1f24, #e6e8eb); color-scheme: light dark; }
    .fallback { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 46rem; opacity: 1; padding: 1rem; }
    nav { font: 16px/2rem system-ui, sans-serif; padding: 0 1rem; }
    div#embeddableSandbox { height: calc(100vh - 2rem); top: 2rem; }
    :is(nav, .fallback) a { color: light-dark(#0b57d0, #8ab4f8); }
    #embeddableSandbox:empty { pointer-events: none; }`;

/**
 * Adds links to the home page and, in case Sandbox's scripts do not load, to GraphiQL. Without the style, Sandbox's empty frame would
 * catch clicks on the links.
 */
const withFallback = (html: string, nonce: string): string =>
  html.replace(
    /<div class="fallback">[^]*?<\/div>/,
    `<nav><a href="./">Home</a></nav>
  <main class="fallback">
    <h1>Recruitment gateway</h1>
    <p>Apollo Sandbox cannot be loaded: the machine that serves its scripts does not answer.</p>
    <p>Use <a href="./explorer">GraphiQL</a> instead: this gateway serves it.</p>
  </main>
  <style nonce="${nonce}">${fallbackStyle}
  </style>`,
  );

function nonceOf(html: string): string {
  const nonce = /<script nonce="([\w-]+)"/.exec(html)?.[1];
  if (nonce === undefined) throw new Error('the landing page has no nonce');
  return nonce;
}
