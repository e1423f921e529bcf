import { type onRequestAsyncHookHandler } from 'fastify';
import { prefersPage } from '../http/negotiation.js';
import { type OperationParameters } from '../graphql/trusted/named-document.js';
import { type DeveloperAuthorization } from './developer-authorization.js';
import { type Examples } from './example-operations.js';
import { keepCompressed } from '../http/document-route.js';
import { sandboxPolicy } from './content-policy.js';
import { pageHeader, sendPage } from './html-page.js';

/**
 * Serves Apollo Sandbox to browsers, without cookies or telemetry. Ignores other requests.
 * @param style the style sheet of all pages; undefined if the pages are not built
 */
export function sandboxPage(
  examples: Examples,
  authorizationOf: DeveloperAuthorization,
  style: string | undefined,
): onRequestAsyncHookHandler {
  // Each page has a nonce of its own.
  const compressed = keepCompressed(0);
  return async (request, reply) => {
    if (request.method !== 'GET' || !prefersPage(request)) return;
    const { query, documentId, extensions } = request.query as OperationParameters;
    if ([query, documentId, extensions].some((part) => part !== undefined)) return;
    const html = await renderSandbox(examples, await authorizationOf(request));
    const nonce = nonceOf(html);
    await sendPage(request, reply, {
      html: withHead(html, nonce, style),
      policy: sandboxPolicy(nonce),
      compressed,
    });
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

/**
 * Adds the head of all pages and, in case Sandbox's scripts do not load, a link to GraphiQL. Without the style, Sandbox's empty frame
 * would catch clicks on the links.
 */
const withHead = (html: string, nonce: string, style: string | undefined): string =>
  html.replace(
    /<div class="fallback">[^]*?<\/div>/,
    `${pageHeader({ hasExplorer: true })}
  <main id="content" class="fallback">
    <h1>Apollo Sandbox cannot be loaded</h1>
    <p>The machine that serves its scripts does not answer.</p>
    <p>Use the <a href="./explorer">explorer</a> instead: this gateway serves it.</p>
  </main>
  ${style === undefined ? '' : `<link rel="stylesheet" nonce="${nonce}" href="${style}" />`}`,
  );

function nonceOf(html: string): string {
  const nonce = /<script nonce="([\w-]+)"/.exec(html)?.[1];
  if (nonce === undefined) throw new Error('the landing page has no nonce');
  return nonce;
}
